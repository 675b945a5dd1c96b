"""What is kept: models, migrations and queries; the only folder that imports SQLAlchemy.

Queries take and return plain values, so that no model leaves this folder.
"""

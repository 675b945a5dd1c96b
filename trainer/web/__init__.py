"""The web application's faces: pages, forms and the command line; the only folder that imports Flask."""

"""The forms of accounts; what a name and a password may be, the service says."""

from flask_wtf import FlaskForm
from wtforms import HiddenField, PasswordField, StringField
from wtforms.validators import InputRequired

from trainer.service.credentials import PASSWORD_LENGTHS, USERNAME_LENGTHS

_NEW = {"autocomplete": "new-password", "minlength": PASSWORD_LENGTHS.start, "maxlength": PASSWORD_LENGTHS.stop - 1}
_CURRENT = {"autocomplete": "current-password", "maxlength": PASSWORD_LENGTHS.stop - 1}
_NAME = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false",
         "maxlength": USERNAME_LENGTHS.stop - 1}
_LONG_ENOUGH = f"{PASSWORD_LENGTHS.start} characters or more. A few words that only you would put together do well."


class RegisterForm(FlaskForm):  # type: ignore[misc]
    """A new name and a password for it."""

    username = StringField("Name", [InputRequired("Choose a name.")], render_kw=_NAME,
                           description="Nobody else is shown it. Capitals do not matter when you log in.")
    password = PasswordField("Password", [InputRequired("Choose a password.")], render_kw=_NEW,
                             description=_LONG_ENOUGH)
    next = HiddenField()


class LogInForm(FlaskForm):  # type: ignore[misc]
    """Name and password."""

    username = StringField("Name", [InputRequired("Enter your name.")], render_kw=_NAME)
    password = PasswordField("Password", [InputRequired("Enter your password.")], render_kw=_CURRENT)
    next = HiddenField()


class RecoverForm(FlaskForm):  # type: ignore[misc]
    """Name, recovery code and a new password."""

    username = StringField("Name", [InputRequired("Enter your name.")], render_kw=_NAME)
    code = StringField("Recovery code", [InputRequired("Enter your recovery code.")],
                       render_kw={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false",
                                  "maxlength": 60},
                       description="Five groups of five signs. Capitals and dashes do not matter.")
    password = PasswordField("New password", [InputRequired("Choose a new password.")], render_kw=_NEW,
                             description=_LONG_ENOUGH)


class PasswordForm(FlaskForm):  # type: ignore[misc]
    """The password as it is, and a new one."""

    old = PasswordField("Your password now", [InputRequired("Enter your password.")], render_kw=_CURRENT)
    password = PasswordField("New password", [InputRequired("Choose a new password.")], render_kw=_NEW,
                             description=_LONG_ENOUGH)


class ConfirmForm(FlaskForm):  # type: ignore[misc]
    """The password once more, before something that cannot be undone."""

    password = PasswordField("Your password", [InputRequired("Enter your password.")], render_kw=_CURRENT)

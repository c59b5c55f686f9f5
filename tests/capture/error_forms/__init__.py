"""Programs that end in an error of JAX, by what they are about."""

from tests.capture.error_forms import programs, values

FORMS = {**values.FORMS, **programs.FORMS}

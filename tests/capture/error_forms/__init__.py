"""Programs that end in an error of JAX, by what they are about."""

from tests.capture.error_forms import (
    conditions,
    effects,
    fitting,
    misfits,
    numbers,
    objects,
    pieces,
    programs,
    shapes,
    unstaged,
    values,
)

FORMS = {
    **values.FORMS,
    **conditions.FORMS,
    **numbers.FORMS,
    **pieces.FORMS,
    **programs.FORMS,
    **effects.FORMS,
    **misfits.FORMS,
    **objects.FORMS,
    **shapes.FORMS,
    **fitting.FORMS,
    **unstaged.FORMS,
}

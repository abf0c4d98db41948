"""Large answers in parts, and things that are alike as rows of numbers. Plain JSON values in, plain JSON values out."""

from ._cut import in_parts as in_parts
from ._join import put_in as put_in
from ._join import unpacked as unpacked
from ._rows import Template as Template
from ._rows import each_row as each_row
from ._rows import numbers_of as numbers_of

"""Values whose own code raises, and notes that it was asked."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import pathlib
import unittest.mock

import numpy as np

ASKED: list[str] = []
"""What was run of the code below, in order."""


class AskedError(Exception):
    """Raised by all of it."""


def refusing(name):
    """A method, or the getter of a property, that raises."""

    def refuse(*_arguments):
        ASKED.append(name)
        raise AskedError(name)

    refuse.__name__ = name
    return refuse


def made(name, base=object, methods=(), properties=()):
    """A class of this name that refuses these methods and properties."""
    return type(name, (base,), {one: refusing(one) for one in methods} | {p: property(refusing(p)) for p in properties})


class Equal:
    """A static value as JAX needs it, that tells nothing else of itself."""

    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return hash(self.number)

    def __eq__(self, other):
        return type(other) is Equal and self.number == other.number

    __repr__ = __str__ = __len__ = __bool__ = __iter__ = refusing("anything")


Colour = enum.Enum("Colour", "RED")
Colour.name = property(refusing("name"))
Colour.__repr__ = refusing("repr")

SEQUENCE = ("__iter__", "__len__", "__getitem__")
ARRAY = ("reshape", "tobytes", "__array_finalize__", "__array_ufunc__")
VALUES = {
    "a proxy that stands for nothing": made("Proxy", properties=["__class__"])(),
    "one that gives out nothing": made("Closed", methods=["__getattribute__"])(),
    "one that looks everything up": made("Lookup", methods=["__getattr__"])(),
    "a mock of a dict": unittest.mock.NonCallableMock(spec=dict),
    "a mock of an array": unittest.mock.NonCallableMock(spec=np.ndarray),
    "a mock of an enumeration": unittest.mock.NonCallableMock(spec=enum.Enum),
    "a mock of a class": unittest.mock.NonCallableMock(spec=type),
    "attributes that are computed": made("Computed", properties=["__dict__", "val", "shape", "dtype", "aval"])(),
    "an object that equals others": Equal(1),
    "a list of such": [Equal(1), made("Proxy", properties=["__class__"])()],
    "a dict by such": {Equal(1): Equal(2)},
    "an array of another class": np.ones(2).view(made("Array", np.ndarray, properties=["flags", "shape", "base"])),
    "a number of another class": made("Float", np.float64, ["__repr__", "__ne__", "item"])(2),
    "a text": made("Text", str, ["__repr__", *SEQUENCE])("x"),
    "a path": made("Path", pathlib.PurePosixPath, ["__repr__"])("a"),
    "a decimal": made("Decimal", decimal.Decimal, ["__repr__"])(2),
    "a date": made("Date", dt.date, ["__repr__"])(2020, 1, 1),
    "a time zone": made("Zone", dt.tzinfo, ["__repr__"])(),
    "a slice": slice(Equal(1)),
    "an integer that Python refuses to write": 10**5000,
    "such integers": (10**5000, {10**5000: -(10**5000)}, frozenset([10**5000])),
    "an enumeration": Colour.RED,
    "a dict": made("Dict", dict, ["items", "__iter__", "__len__"])(a=1),
    "a list": made("List", list, SEQUENCE)([1]),
    "a tuple": made("Tuple", tuple, SEQUENCE)((1, 2)),
}
for method in ARRAY:
    setattr(type(VALUES["an array of another class"]), method, refusing(method))

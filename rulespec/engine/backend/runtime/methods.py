"""Methods of states in machine code, called by Python. Never imported, but compiled, in the subset of llvm/compiler.py.

An object is the number of its address. A method gets a state, its arguments, how many they are, and their names (0 for
none), and returns an object, or 0 if an exception is set. What is unusual is left to a method in Python. The names in
capitals are places in a state, in its frame and on its desk (see engine/states/native_methods.py).
"""

from rulespec.engine.backend.llvm.compiler import array, cold, i64, i64s, invoke, pointer
from rulespec.engine.backend.runtime import method_names as given


def PyBool_FromLong(number: i64) -> i64: ...
def PyByteArray_AsString(array: i64) -> i64: ...
def PyDict_Size(dict: i64) -> i64: ...
def PyErr_Clear() -> None: ...
def PyErr_Occurred() -> i64: ...
def PyGC_Disable() -> i64: ...
def PyGC_Enable() -> i64: ...
def PyList_Append(list: i64, item: i64) -> i64: ...
def PyList_GetItem(list: i64, index: i64) -> i64: ...
def PyList_GetSlice(list: i64, low: i64, high: i64) -> i64: ...
def PyList_New(size: i64) -> i64: ...
def PyList_SetItem(list: i64, index: i64, item: i64) -> i64: ...
def PyList_Size(list: i64) -> i64: ...
def PyLong_AsLongLong(number: i64) -> i64: ...
def PyLong_FromLongLong(number: i64) -> i64: ...
def PyObject_Vectorcall(function: i64, arguments: i64s, count: i64, names: i64) -> i64: ...
def PySequence_Contains(list: i64, item: i64) -> i64: ...
def PyTuple_New(size: i64) -> i64: ...
def PyTuple_Size(tuple: i64) -> i64: ...
def PyTuple_SetItem(tuple: i64, index: i64, item: i64) -> i64: ...
def Py_DecRef(object: i64) -> None: ...
def Py_IncRef(object: i64) -> None: ...


def is_terminal(state: i64, passed: i64, count: i64, names: i64) -> i64:
    slots = pointer(i64s, state, given.SLOTS)
    if slots[given.ASKED] == 0:
        return 0  # Python reports a state that was never begun
    return PyBool_FromLong(PyList_Size(slots[given.LEGAL]) + PyDict_Size(slots[given.ASKED]) == 0)


def legal_actions(state: i64, passed: i64, count: i64, names: i64) -> i64:
    slots = pointer(i64s, state, given.SLOTS)
    if slots[given.ASKED] == 0:
        return 0
    arguments = pointer(i64s, passed, count)
    # The player to act is usually the same object, as all small numbers are.
    own = count == 0 or (count == 1 and arguments[0] == slots[given.PLAYER])
    if own and names == 0 and PyDict_Size(slots[given.ASKED]) == 0:
        return PyList_GetSlice(slots[given.LEGAL], 0, PyList_Size(slots[given.LEGAL]))
    frame = pointer(i64s, PyByteArray_AsString(slots[given.FRAME]), given.PLACES)
    return in_python(frame[given.LISTED], state, arguments, count, names)


def apply_action(state: i64, passed: i64, count: i64, names: i64) -> i64:
    slots = pointer(i64s, state, given.SLOTS)
    if slots[given.ASKED] == 0:
        return 0
    arguments = pointer(i64s, passed, count)
    frame = pointer(i64s, PyByteArray_AsString(slots[given.FRAME]), given.PLACES)
    action = -1
    if names == 0 and count == 1 and frame[given.ACT] != 0 and PyDict_Size(slots[given.ASKED]) == 0:
        action = legal_number(slots[given.LEGAL], arguments[0])
    if action < 0:
        return in_python(frame[given.APPLIED], state, arguments, count, names)
    append_choice(slots[given.CHOICES], slots[given.PLAYER], arguments[0])
    desk = pointer(i64s, frame[given.DESK], frame[given.FIRST_LEGAL])
    desk[given.DESK_PLACE] = PyLong_AsLongLong(slots[given.PLACE])
    desk[given.DESK_PLAYER] = PyLong_AsLongLong(slots[given.PLAYER])
    invoke(frame[given.ACT], frame[given.OWN], frame[given.OWN + 1], action)
    if desk[given.DESK_PLAYER] == given.SIMULTANEOUS:
        return several_decide(state, frame, desk)
    replace(slots, given.PLACE, PyLong_FromLongLong(desk[given.DESK_PLACE]))
    replace(slots, given.PLAYER, PyLong_FromLongLong(desk[given.DESK_PLAYER]))
    replace(slots, given.LEGAL, listed(frame[given.DESK], frame[given.FIRST_LEGAL], desk[given.DESK_LEGAL]))
    Py_IncRef(frame[given.NOTHING])
    return frame[given.NOTHING]


def legal_number(legal: i64, action: i64) -> i64:
    """The number of a legal action, -1 for another object."""
    for place in range(0, PyList_Size(legal)):
        if PyList_GetItem(legal, place) == action:
            return PyLong_AsLongLong(action)
    return equal_number(legal, action)


@cold
def equal_number(legal: i64, action: i64) -> i64:
    """The number of an object that equals a legal action, -1 if there is none."""
    if PySequence_Contains(legal, action) & 3 != 1:
        PyErr_Clear()
        return -1
    number = PyLong_AsLongLong(action)
    if PyErr_Occurred() != 0:
        PyErr_Clear()
        return -1
    return number


def append_choice(choices: i64, player: i64, action: i64) -> None:
    choice = PyTuple_New(2)
    Py_IncRef(player)
    Py_IncRef(action)
    PyTuple_SetItem(choice, 0, player)
    PyTuple_SetItem(choice, 1, action)
    PyList_Append(choices, choice)
    Py_DecRef(choice)


def replace(slots: i64s, slot: i64, object: i64) -> None:
    """Sets a slot to a new reference."""
    before = slots[slot]
    slots[slot] = object
    Py_DecRef(before)


def listed(address: i64, first: i64, count: i64) -> i64:
    """A list of numbers of the desk."""
    desk = pointer(i64s, address, first + count)
    # What is collected could run Python, and Python another state, which writes to the desk.
    collected = PyGC_Disable() & 1
    found = PyList_New(count)
    if collected != 0:
        PyGC_Enable()
    for place in range(0, count):
        PyList_SetItem(found, place, PyLong_FromLongLong(desk[first + place]))
    return found


@cold
def several_decide(state: i64, frame: i64s, desk: i64s) -> i64:
    """Leaves to Python what it is to read from the desk."""
    size = frame[given.FIRST_LEGAL]
    for player in range(0, (frame[given.FIRST_LEGAL] - given.DESK_ASKED) // 2):
        size = size + desk[given.DESK_ASKED + player]
    numbers = array(i64s, 1)
    numbers[0] = listed(frame[given.DESK], 0, size)
    result = in_python(frame[given.SECRET], state, numbers, 1, 0)
    Py_DecRef(numbers[0])
    return result


@cold
def in_python(method: i64, state: i64, arguments: i64s, count: i64, names: i64) -> i64:
    """Calls a method that is written in Python, which takes two arguments at most."""
    passed = array(i64s, 4)
    passed[0] = state
    size = count
    if names != 0:
        size = count + PyTuple_Size(names)
    for place in range(0, min(size, 3)):
        passed[1 + place] = arguments[place]
    if size > 3:
        return PyObject_Vectorcall(method, passed, 4, 0)
    return PyObject_Vectorcall(method, passed, 1 + count, names)

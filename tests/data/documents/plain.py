# Opens and closes the gates of the mill.
SLUICE_HOURS = 7


def open_gate(number):
    if number > 4:
        raise ValueError("there are four gates")

    return f"gate {number} stands open"

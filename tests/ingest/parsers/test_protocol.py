import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages, SlowPage
from ingest.parsers.protocol import End, Failure, Locked, Message, OutOfMemory, decode, encode
from ingest.parsers.unpacking import HeldFile

_ELEMENTS = st.builds(
    Element,
    st.sampled_from(ElementKind),
    st.text(),
    st.none() | st.integers(1, 10_000),
    st.lists(st.text()).map(tuple),
    st.none() | st.tuples(*[st.floats(0, 1)] * 4),
)
_HELD = st.builds(HeldFile, st.text(), st.text(), st.text())
_MESSAGES = (
    _ELEMENTS
    | _HELD
    | st.sampled_from(
        [Pages(0, 3), SlowPage(), End(), Failure("no\nway"), Locked("no\nkey"), OutOfMemory()]
    )
)


@settings(deadline=None)
@given(_MESSAGES)
def test_message_survives_its_line(message: Message) -> None:
    line = encode(message)

    assert line.count(b"\n") == 1
    assert decode(line) == message


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b'["element"]',
        b'["element","text",1,null,[]]',
        b'["element","song","la",null,[]]',
        b'["element",["text"],"la",null,[]]',
        b'["element","text","la","one",[]]',
        b'["element","text","la",1.5,[]]',
        b'["element","text","la",1,"path"]',
        b'["element","text","la",1,[2]]',
        b'["element","text","la",1,[],0.1,0.2,0.3]',
        b'["element","text","la",1,[],0.1,0.2,0.3,"0.4"]',
        b'["pages",1]',
        b'["locked"]',
        b'["held","a.txt"]',
        b'["held","a.txt",1,""]',
        b'["unheard"]',
        b"\xff",
        '["element","text","ä",null,[]]'.encode(),
    ],
)
def test_decode_refuses_other_lines(line: bytes) -> None:
    with pytest.raises(ValueError):
        decode(line)

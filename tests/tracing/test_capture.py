from __future__ import annotations

from visualizer.tracing._capture import Capture
from visualizer.tracing._ours import FOLDER, without_our_frames, without_paths


def test_both_streams_in_order():
    capture = Capture()
    print("a", file=capture.out)
    print("b", file=capture.err)
    capture.out.buffer.write(b"c\n")
    capture.write("d\n")
    assert capture.result() == {"text": "a\nb\nc\nd\n", "truncated": False}


def test_the_cap_counts_bytes_and_keeps_whole_characters():
    capture = Capture(limit=5)
    capture.out.write("éééé")
    assert capture.result() == {"text": "éé", "truncated": True}
    full = Capture(limit=4)
    full.out.write("éé")
    assert full.result() == {"text": "éé", "truncated": False}


def test_a_closed_stream_leaves_the_other():
    capture = Capture()
    capture.out.close()
    capture.err.write("b")
    assert capture.result()["text"] == "b"


def test_what_cannot_be_encoded_is_escaped():
    capture = Capture()
    print("\ud800", file=capture.out)
    assert capture.result()["text"] == "\\ud800\n"


def test_our_frames_go_from_printed_tracebacks():
    persons, end = 'Traceback:\n  File "<paste>", line 1, in <module>\n    f(1)\n', "ValueError: no\n"
    ours = f'  File "{FOLDER}tracing/_x.py", line 2, in _y\n    z\n    ^\n'
    assert without_our_frames(persons + ours + end) == persons + end


def test_folders_of_this_machine_go():
    assert without_paths("/opt/x/lib/python3.11/site-packages/jax/a.py /usr/lib/python3.11/os.py /data/y") == "jax/a.py os.py /data/y"

"""What holds for all tests."""

import signal

# Programs that a shell starts in the background ignore interrupts, and so does Python then, and all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

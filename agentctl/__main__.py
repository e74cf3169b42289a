"""`python -m agentctl` is the command `agentctl`."""

import sys

from agentctl.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

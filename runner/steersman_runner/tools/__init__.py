"""What a tool author imports. How tools are run by a turn lives in the harness."""

from steersman_runner.tools.results import ToolResult, ToolStopped
from steersman_runner.tools.tool import Tool, tool
from steersman_runner.tools.toolbox import Toolbox

__all__ = ["Tool", "ToolResult", "ToolStopped", "Toolbox", "tool"]

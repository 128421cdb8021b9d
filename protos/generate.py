"""Generates client/steersman/v1 from the protos, and an image for buf.

Usage: python protos/generate.py OUT [--image FILE]. The google/api protos come
from the installed googleapis-common-protos; nothing is copied into the tree.
"""

import argparse
from importlib.resources import files
from pathlib import Path

from google.api import annotations_pb2
from grpc_tools import protoc

PROTOS = Path(__file__).resolve().parent


def generate(out: Path, image: Path | None) -> None:
    """Write the modules under `out`; raises SystemExit when protoc refuses."""
    out.mkdir(parents=True, exist_ok=True)
    sources = sorted(str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto"))
    arguments = [
        "protoc",
        f"--proto_path={PROTOS}",
        f"--proto_path={files('grpc_tools') / '_proto'}",
        f"--proto_path={Path(annotations_pb2.__file__).parents[2]}",
        f"--python_out={out}",
        f"--pyi_out={out}",
        f"--grpc_python_out={out}",
        f"--mypy_grpc_out=quiet:{out}",
    ]
    if image is not None:
        image.parent.mkdir(parents=True, exist_ok=True)
        arguments += [
            "--include_imports",
            "--include_source_info",
            f"--descriptor_set_out={image}",
        ]
    if protoc.main([*arguments, *sources]) != 0:
        raise SystemExit("protoc refused the protos")
    for source in sources:
        if "\nservice " not in (PROTOS / source).read_text():
            drop_empty_stubs(out / source)


def drop_empty_stubs(source: Path) -> None:
    """Remove what protoc writes for a file that has no service."""
    for ending in ("_pb2_grpc.py", "_pb2_grpc.pyi"):
        source.with_name(source.stem + ending).unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--image", type=Path)
    given = parser.parse_args()
    generate(given.out, given.image)


if __name__ == "__main__":
    main()

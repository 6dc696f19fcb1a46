# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""The bill of materials of a kit: CycloneDX 1.6 as JSON, the same bytes for the same kit."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gen.diag import fail
from gen.read.source import NOWHERE

if TYPE_CHECKING:
    from cyclonedx.model.bom import Bom

    from gen.vendor.kit import Options

LICENCE = "Apache-2.0 OR ISC OR MIT"


def text(options: Options, version: str, files: Mapping[str, bytes]) -> str:
    """The document; its serial number is made of what it lists, and no time stands in it.

    Errors: `Failed` where the library that writes it is not installed.
    """
    try:
        from cyclonedx.output.json import JsonV1Dot6
    except ImportError:
        raise fail(
            "unknown-name",
            NOWHERE,
            "the bill of materials needs the package cyclonedx-python-lib",
            help="pip install cyclonedx-python-lib",
        ) from None
    made: dict[str, Any] = json.loads(JsonV1Dot6(_bom(options, version, files)).output_as_string())
    made["metadata"].pop("timestamp", None)
    listed = json.dumps(made["metadata"], sort_keys=True)
    made["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, listed)}"
    return json.dumps(made, indent=1, sort_keys=True) + "\n"


def _bom(options: Options, version: str, files: Mapping[str, bytes]) -> Bom:
    from cyclonedx.model import HashAlgorithm, HashType, Property
    from cyclonedx.model.bom import Bom
    from cyclonedx.model.component import Component, ComponentType
    from cyclonedx.model.license import LicenseExpression

    whole = Component(
        name="armscribe",
        version=version,
        type=ComponentType.LIBRARY,
        bom_ref="armscribe",
        licenses=[LicenseExpression(LICENCE)],
        properties=[
            Property(name=f"armscribe:{k}", value=v if isinstance(v, str) else " ".join(v))
            for k, v in options.as_json().items()
        ],
    )
    for path, content in sorted(files.items()):
        digest = HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(content).hexdigest())
        part = Component(
            name=path, type=ComponentType.FILE, bom_ref=f"armscribe/{path}", hashes=[digest]
        )
        whole.components.add(part)
    bom = Bom()
    bom.metadata.component = whole
    return bom

#!/usr/bin/env bash
# onnx.version_converter makes a model compute something else.
#
# Version: onnx 1.23.2, onnxruntime 1.32.0.
# Guess:   a model converted to a later opset computes the same, or an error names the operator that cannot be converted.
# Seen:    Resize takes its pixels from other places, since the default became half_pixel and the converter does not write
#          the old one; so does Upsample. Hardmax finds its largest element along the last axis alone, since the
#          default of axis changed in 13, while for Softmax the converter sees to that. The checker, shape inference included,
#          finds nothing.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet onnx==1.23.2 onnxruntime==1.32.0

"$here/venv/bin/python" - <<'PYTHON'
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, version_converter

image, block = [1, 1, 2, 2], [2, 2, 2]


def outcome(model):
    onnx.checker.check_model(model, full_check=True)
    shape = [axis.dim_value for axis in model.graph.input[0].type.tensor_type.shape.dim]
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"x": np.arange(np.prod(shape), dtype=np.float32).reshape(shape)})[0]


same = {}
for name, old, new, shape, attributes in (
    ("Resize", 10, 11, image, {"mode": "linear"}),
    ("Upsample", 9, 11, image, {"mode": "linear"}),
    ("Hardmax", 12, 13, block, {}),
    ("Softmax", 12, 13, block, {}),
):
    scaled = shape is image
    scales = [helper.make_tensor("scales", TensorProto.FLOAT, [4], [1, 1, 2, 2])] if scaled else []
    graph = helper.make_graph(
        [helper.make_node(name, ["x", "scales"] if scaled else ["x"], ["y"], **attributes)],
        name,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 1, 4, 4] if scaled else shape)],
        scales,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", old)], ir_version=4)
    before, after = outcome(model), outcome(version_converter.convert_version(model, new))
    same[name] = bool(np.allclose(before, after))
    print(f"{name}, opset {old}: {before.ravel()[:6]}; opset {new}: {after.ravel()[:6]}")
raise SystemExit(same != {"Resize": False, "Upsample": False, "Hardmax": False, "Softmax": True})
PYTHON

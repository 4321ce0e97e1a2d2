#!/usr/bin/env bash
# ONNX Runtime drops one of two quantisations that follow each other, so a model that rounds to whole numbers no longer does.
#
# Versions: onnx 1.23.2, onnxruntime 1.32.0, numpy 2.4.6.
# Guess:    two pairs of QuantizeLinear and DequantizeLinear with other scales are both computed, at each level of optimisation,
#           or merged only if the output stays the same.
# Seen:     from ORT_ENABLE_BASIC on one is left, with the finer scale: after scales of 1/128 and 1 the output is -0.5 instead
#           of 0 for -0.5, and 0.25 instead of 0 for 0.25. ORT_DISABLE_ALL computes both. So the accuracy of a quantised
#           model depends on the level, and the default has other numbers than a device that computes what the model says.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6

"$here/venv/bin/python" - <<'PYTHON'
import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper

nodes = []
constants = {"zero": numpy.uint8(128), "fine": numpy.float32(1 / 128), "coarse": numpy.float32(1)}
for source, scale, target in (("x", "fine", "between"), ("between", "coarse", "y")):
    nodes.append(helper.make_node("QuantizeLinear", [source, scale, "zero"], [f"{target}_8"]))
    nodes.append(helper.make_node("DequantizeLinear", [f"{target}_8", scale, "zero"], [target]))
graph = helper.make_graph(
    nodes,
    "rounds",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None])],
    [onnx.numpy_helper.from_array(numpy.array(value), name) for name, value in constants.items()],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
onnx.checker.check_model(model, full_check=True)

given = numpy.array([-0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75], numpy.float32)
rounded = [-1, 0, 0, 0, 0, 0, 1]
for level, expected in (("DISABLE_ALL", rounded), ("ENABLE_BASIC", given), ("ENABLE_EXTENDED", given), ("ENABLE_ALL", given)):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_{level}")
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    (seen,) = session.run(None, {"x": given})
    print(f"{level}: {seen}")
    numpy.testing.assert_array_equal(seen, expected)
default = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
numpy.testing.assert_array_equal(default.run(None, {"x": given})[0], given)
PYTHON

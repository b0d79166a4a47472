"""MiniLM as an ONNX graph: tokens and their mask in, the mean of the last layer out. Needs `onnx`, once."""

from typing import Any

import numpy as np

from helios.embed.distil import EPSILON, HEADS, LAYERS, Matrix, Transformer
from helios.errors import SettingsError

OPSET = 20  # the first with Gelu


class Graph:
    """Nodes in the order of computation; every value has a name."""

    def __init__(self, weights: dict[str, Matrix], helper: Any, to_array: Any) -> None:  # noqa: ANN401  # onnx has no types
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}
        self._helper = helper
        self._to_array = to_array

    def node(self, kind: str, *inputs: str, **attributes: object) -> str:
        """The name of what a node gives."""
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(self._helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, name: str, value: Any) -> str:  # noqa: ANN401  # whatever numpy takes
        """The name of a constant, each kept once."""
        if name not in self.constants:
            self.constants[name] = self._to_array(np.ascontiguousarray(value), name)
        return name

    def linear(self, name: str, x: str) -> str:
        """A layer of weights and bias."""
        weight = self.constant(f"{name}.weight", self.weights[f"{name}.weight"].T)
        bias = self.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        return self.node("Add", self.node("MatMul", x, weight), bias)

    def norm(self, name: str, x: str) -> str:
        """A layer norm."""
        parts = [self.constant(f"{name}.{part}", self.weights[f"{name}.{part}"]) for part in ("weight", "bias")]
        return self.node("LayerNormalization", x, *parts, axis=-1, epsilon=EPSILON)

    def attention(self, layer: str, x: str, bias: str, width: int) -> str:
        """What the tokens of a row tell each other."""
        apart = self.constant("apart", np.array([0, 0, HEADS, width // HEADS], np.int64))
        together = self.constant("together", np.array([0, 0, width], np.int64))

        def heads(name: str, *order: int) -> str:
            y = self.linear(f"{layer}.attention.self.{name}", x)
            return self.node("Transpose", self.node("Reshape", y, apart), perm=list(order))

        scale = self.constant("scale", np.float32(1 / np.sqrt(width / HEADS)))
        scores = self.node("Mul", self.node("MatMul", heads("query", 0, 2, 1, 3), heads("key", 0, 2, 3, 1)), scale)
        shares = self.node("Softmax", self.node("Add", scores, bias), axis=-1)
        mixed = self.node("Transpose", self.node("MatMul", shares, heads("value", 0, 2, 1, 3)), perm=[0, 2, 1, 3])
        return self.linear(f"{layer}.attention.output.dense", self.node("Reshape", mixed, together))

    def embeddings(self) -> str:
        """Of each token: itself, and where it stands."""
        word, place, kind = (
            self.weights[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
        )
        zero, one = (self.constant(name, np.array([value], np.int64)) for name, value in (("zero", 0), ("one", 1)))
        width = self.node("Slice", self.node("Shape", "tokens"), one, self.constant("two", np.array([2], np.int64)))
        places = self.node("Slice", self.constant("places", place + kind[0]), zero, width)
        words = self.node("Gather", self.constant("words", word), "tokens")
        return self.norm("embeddings.LayerNorm", self.node("Add", words, places))

    def mean(self, x: str) -> str:
        """Of the tokens of each row, fillers apart."""
        last = self.constant("last", np.array([-1], np.int64))
        middle = self.constant("one", np.array([1], np.int64))
        weights = self.node("Unsqueeze", "mask", last)
        total = self.node("ReduceSum", self.node("Mul", x, weights), middle, keepdims=0)
        return self.node("Div", total, self.node("ReduceSum", weights, middle, keepdims=0))


def onnx_of(safetensors: bytes) -> bytes:
    """The bytes of the graph."""
    try:
        from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise SettingsError("the transformer is written by onnx: pip install helios-crawler[transformer]") from error
    graph = Graph(Transformer(safetensors).weights, helper, numpy_helper.from_array)
    x = graph.embeddings()
    width = graph.weights["embeddings.word_embeddings.weight"].shape[1]
    axes = graph.constant("axes", np.array([1, 2], np.int64))
    absent = graph.node("Sub", "mask", graph.constant("unit", np.float32(1)))
    bias = graph.node("Unsqueeze", graph.node("Mul", absent, graph.constant("far", np.float32(1e9))), axes)
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        x = graph.norm(
            f"{layer}.attention.output.LayerNorm", graph.node("Add", x, graph.attention(layer, x, bias, width))
        )
        y = graph.node("Gelu", graph.linear(f"{layer}.intermediate.dense", x))
        x = graph.norm(f"{layer}.output.LayerNorm", graph.node("Add", x, graph.linear(f"{layer}.output.dense", y)))
    vector = graph.node("Identity", graph.mean(x))
    inputs = [
        helper.make_tensor_value_info("tokens", TensorProto.INT64, ["rows", "width"]),
        helper.make_tensor_value_info("mask", TensorProto.FLOAT, ["rows", "width"]),
    ]
    outputs = [helper.make_tensor_value_info(vector, TensorProto.FLOAT, ["rows", width])]
    made = helper.make_graph(graph.nodes, "minilm", inputs, outputs, list(graph.constants.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    return bytes(model.SerializeToString())

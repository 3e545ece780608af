"""Turns a transformer's folder into one ONNX graph from token ids to unit vectors; needs torch."""

import warnings
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import AutoModel

from memory.backends.embedding.manifest import MODEL_FILE, TOKENIZER_FILE

_OPSET = 17


def write_graph(source: Path, folder: Path) -> None:
    """Store the transformer in `source`, with mean pooling to unit length, as an ONNX graph."""
    # The fused attention kernels have no ONNX form; the eager ones do.
    transformer = AutoModel.from_pretrained(
        str(source), attn_implementation="eager", local_files_only=True
    )
    ids = torch.ones(2, 9, dtype=torch.long)
    mask = torch.ones_like(ids)
    mask[1, 5:] = 0  # a padded row, so that tracing keeps the mask
    ragged = {0: "texts", 1: "tokens"}
    with torch.inference_mode(), warnings.catch_warnings():
        # The tracer warns about every shape check; the caller compares the vectors instead.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _UnitVectors(transformer).eval(),
            (ids, mask),
            str(folder / MODEL_FILE),
            input_names=["input_ids", "attention_mask"],
            output_names=["vectors"],
            dynamic_axes={"input_ids": ragged, "attention_mask": ragged, "vectors": {0: "texts"}},
            opset_version=_OPSET,
            dynamo=False,
        )


def write_tokenizer(source: Path, folder: Path, max_tokens: int) -> None:
    """Store the tokenizer in `source` with the model's own limit, which its file may contradict."""
    tokenizer = Tokenizer.from_file(str(source / TOKENIZER_FILE))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    tokenizer.save(str(folder / TOKENIZER_FILE))


class _UnitVectors(torch.nn.Module):
    def __init__(self, transformer: torch.nn.Module) -> None:
        super().__init__()
        self.transformer = transformer

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        # By keyword: the transformer's own order of arguments is not the tracer's.
        hidden = self.transformer(input_ids=input_ids, attention_mask=attention_mask)[0]
        weights = attention_mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * weights).sum(dim=1) / weights.sum(dim=1)
        return torch.nn.functional.normalize(mean, dim=1)

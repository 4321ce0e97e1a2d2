"""TRL's own training loop takes a step in the environment; a script writes what the model would say."""

import json
import math
from importlib import resources
from typing import Any

import torch
import trl
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

from datasets import Dataset  # type: ignore[attr-defined] # the package that TRL installs, not the app
from optarena.tools.trl import CompilerEnvironment

PROGRAM = "benchmark://kernels-v0/sha256"
# Of the two conversations that TRL compares. Each word is one call; one of the six fails.
SCRIPTS = (("describe_program", "srao", "sroa"), ("sroa", "indvars", "instcombine"))
REWARDS = [(1349 - 863) / (1349 - 682), (1349 - 730) / (1349 - 682)]
END, PADDING = "<|im_end|>", "<|endoftext|>"


def byte_tokenizer() -> PreTrainedTokenizerFast:
    """A token for each byte, with the template of a model that TRL knows."""
    bytes_ = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = {word: number for number, word in enumerate(bytes_)}
    tokenizer = Tokenizer(models.BPE(vocab=words, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=END,
        pad_token=PADDING,
        additional_special_tokens=["<|im_start|>", "<tool_call>", "</tool_call>"],
        padding_side="left",
    )
    made.chat_template = resources.files(trl).joinpath("chat_templates/qwen3.jinja").read_text()
    return made


class StubModel(Qwen3ForCausalLM):
    """A tiny model with random weights that says what a script has next: a stub, for the loop's sake."""

    tokenizer: PreTrainedTokenizerFast

    def generate(self, input_ids: torch.Tensor, **_: Any) -> torch.Tensor:
        texts = []
        for conversation, script in zip(self.tokenizer.batch_decode(input_ids), SCRIPTS, strict=True):
            turn = conversation.count("<tool_response>")
            if turn == len(script):
                texts.append(f"Done.{END}")
                continue
            name, arguments = "apply", {"actions": script[turn]}
            if script[turn] == "describe_program":
                name, arguments = script[turn], {}
            call = json.dumps({"name": name, "arguments": arguments})
            texts.append(f"<tool_call>\n{call}\n</tool_call>{END}")
        said = self.tokenizer(texts, return_tensors="pt", padding=True, padding_side="right")["input_ids"]
        return torch.cat([input_ids, said], dim=1)


def main() -> None:
    tokenizer = byte_tokenizer()
    model = StubModel(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=16,
            intermediate_size=16,
            num_hidden_layers=1,
            num_attention_heads=1,
            num_key_value_heads=1,
            head_dim=16,
        )
    )
    model.tokenizer = tokenizer
    prompt = [{"role": "user", "content": "Optimise the program."}]
    trainer = trl.GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list([{"prompt": prompt, "benchmark": PROGRAM}]),
        environment_factory=CompilerEnvironment,
        args=trl.GRPOConfig(
            output_dir="trained",
            use_cpu=True,
            max_steps=1,
            num_generations=len(SCRIPTS),
            per_device_train_batch_size=len(SCRIPTS),
            max_completion_length=16384,
            logging_steps=1,
            save_strategy="no",
            report_to=[],
        ),
    )
    trainer.train()
    logged = {name: value for one in trainer.state.log_history for name, value in one.items()}
    wanted = {"reward": sum(REWARDS) / 2, "tools/call_frequency": 3, "tools/failure_frequency": 1 / 6}
    for name, value in wanted.items():
        if not math.isclose(logged[name], value, rel_tol=1e-5):
            raise SystemExit(f"{name} is not {value}: {logged}")
    if not logged["grad_norm"] > 0:
        raise SystemExit("the step has changed nothing")


if __name__ == "__main__":
    main()

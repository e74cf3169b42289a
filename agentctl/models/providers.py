"""Which provider a model id belongs to, and the environment variables each provider is reached with.

Knows ids and variable names only: nothing is imported, read or called to answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Client: TypeAlias = Literal["offline", "script", "recording", "openai", "litellm"]

_BARE_OPENAI: Final = re.compile(r"(gpt-|chatgpt-|codex-|ft:gpt-|o\d)")
_BARE_PREFIXES: Final = {
    "claude-": "anthropic",
    "gemini-": "vertex_ai",
    "mistral-": "mistral",
    "deepseek-": "deepseek",
    "command-": "cohere",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """How a provider is reached.

    `keys` are alternatives, the first the usual one; each is a set of variables that must all be set.
    No `keys`: none is needed. `base` is the variable that moves its address. `open` providers serve
    models under names of their users' choosing, so no list of ids is complete.
    """

    keys: tuple[tuple[str, ...], ...] = ()
    base: str | None = None
    open: bool = False


def _keyed(*names: str, base: str | None = None, open: bool = False) -> Provider:  # noqa: A002
    return Provider(keys=tuple((name,) for name in names), base=base, open=open)


_AWS: Final = Provider(
    keys=(
        ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
        ("AWS_PROFILE",),
        ("AWS_ROLE_ARN",),
        ("AWS_BEARER_TOKEN_BEDROCK",),
        ("AWS_WEB_IDENTITY_TOKEN_FILE",),
        ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",),
        ("AWS_CONTAINER_CREDENTIALS_FULL_URI",),
    ),
    open=True,
)
_LOCAL: Final = Provider(open=True)

PROVIDERS: Final[dict[str, Provider]] = {
    "openai": _keyed("OPENAI_API_KEY", base="OPENAI_BASE_URL"),
    "anthropic": _keyed("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", base="ANTHROPIC_API_BASE"),
    "gemini": _keyed("GEMINI_API_KEY", "GOOGLE_API_KEY", base="GEMINI_API_BASE"),
    "vertex_ai": Provider(keys=(("VERTEXAI_PROJECT", "VERTEXAI_LOCATION"),), open=True),
    "azure": Provider(
        keys=(
            ("AZURE_API_KEY", "AZURE_API_BASE", "AZURE_API_VERSION"),
            ("AZURE_AD_TOKEN", "AZURE_API_BASE", "AZURE_API_VERSION"),
        ),
        base="AZURE_API_BASE",
        open=True,
    ),
    "azure_ai": Provider(
        keys=(("AZURE_AI_API_KEY", "AZURE_AI_API_BASE"),), base="AZURE_AI_API_BASE", open=True
    ),
    "bedrock": _AWS,
    "bedrock_converse": _AWS,
    "sagemaker": _AWS,
    "sagemaker_chat": _AWS,
    "ai21": _keyed("AI21_API_KEY"),
    "ai21_chat": _keyed("AI21_API_KEY"),
    "aiml": _keyed("AIML_API_KEY", base="AIML_API_BASE", open=True),
    "baseten": _keyed("BASETEN_API_KEY", open=True),
    "cerebras": _keyed("CEREBRAS_API_KEY", base="CEREBRAS_API_BASE"),
    "cloudflare": Provider(keys=(("CLOUDFLARE_API_KEY", "CLOUDFLARE_ACCOUNT_ID"),), open=True),
    "codestral": _keyed("CODESTRAL_API_KEY"),
    "cohere": _keyed("COHERE_API_KEY", "CO_API_KEY", base="COHERE_API_BASE"),
    "cohere_chat": _keyed("COHERE_API_KEY", "CO_API_KEY", base="COHERE_API_BASE"),
    "dashscope": _keyed("DASHSCOPE_API_KEY", base="DASHSCOPE_API_BASE"),
    "databricks": Provider(keys=(("DATABRICKS_API_KEY", "DATABRICKS_API_BASE"),), open=True),
    "deepinfra": _keyed("DEEPINFRA_API_KEY", base="DEEPINFRA_API_BASE", open=True),
    "deepseek": _keyed("DEEPSEEK_API_KEY", base="DEEPSEEK_API_BASE"),
    "featherless_ai": _keyed("FEATHERLESS_AI_API_KEY", open=True),
    "fireworks_ai": _keyed(
        "FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY", "FIREWORKSAI_API_KEY", "FIREWORKS_AI_TOKEN", open=True
    ),
    "friendliai": _keyed("FRIENDLI_TOKEN", open=True),
    "github": _keyed("GITHUB_API_KEY", open=True),
    "groq": _keyed("GROQ_API_KEY", base="GROQ_API_BASE"),
    "huggingface": _keyed("HUGGINGFACE_API_KEY", "HF_TOKEN", open=True),
    "hyperbolic": _keyed("HYPERBOLIC_API_KEY", open=True),
    "lambda_ai": _keyed("LAMBDA_API_KEY"),
    "meta_llama": _keyed("LLAMA_API_KEY"),
    "minimax": _keyed("MINIMAX_API_KEY", base="MINIMAX_API_BASE"),
    "mistral": _keyed("MISTRAL_API_KEY", base="MISTRAL_API_BASE"),
    "modelscope": _keyed("MODELSCOPE_API_KEY", open=True),
    "moonshot": _keyed("MOONSHOT_API_KEY", base="MOONSHOT_API_BASE"),
    "nebius": _keyed("NEBIUS_API_KEY", open=True),
    "novita": _keyed("NOVITA_API_KEY", open=True),
    "nscale": _keyed("NSCALE_API_KEY", open=True),
    "nvidia_nim": _keyed("NVIDIA_NIM_API_KEY", base="NVIDIA_NIM_API_BASE", open=True),
    "openrouter": _keyed("OPENROUTER_API_KEY", "OR_API_KEY", base="OPENROUTER_API_BASE", open=True),
    "ovhcloud": _keyed("OVHCLOUD_API_KEY", open=True),
    "perplexity": _keyed("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"),
    "replicate": _keyed("REPLICATE_API_KEY", "REPLICATE_API_TOKEN", open=True),
    "sambanova": _keyed("SAMBANOVA_API_KEY", base="SAMBANOVA_API_BASE"),
    "scaleway": _keyed("SCW_SECRET_KEY", open=True),
    "snowflake": _keyed("SNOWFLAKE_JWT", open=True),
    "together_ai": _keyed(
        "TOGETHERAI_API_KEY", "TOGETHER_AI_API_KEY", "TOGETHER_API_KEY", "TOGETHER_AI_TOKEN", open=True
    ),
    "vercel_ai_gateway": _keyed("VERCEL_AI_GATEWAY_API_KEY", open=True),
    "volcengine": _keyed("VOLCENGINE_API_KEY", "ARK_API_KEY", open=True),
    "wandb": _keyed("WANDB_API_KEY", open=True),
    "watsonx": Provider(
        keys=(("WATSONX_API_KEY", "WATSONX_URL"), ("WATSONX_APIKEY", "WATSONX_URL")), open=True
    ),
    "xai": _keyed("XAI_API_KEY", base="XAI_API_BASE"),
    "zai": _keyed("ZAI_API_KEY", base="ZAI_API_BASE"),
    "docker_model_runner": _LOCAL,
    "github_copilot": _LOCAL,
    "hosted_vllm": Provider(base="HOSTED_VLLM_API_BASE", open=True),
    "lemonade": Provider(base="LEMONADE_API_BASE", open=True),
    "litellm_proxy": Provider(base="LITELLM_PROXY_API_BASE", open=True),
    "llamafile": Provider(base="LLAMAFILE_API_BASE", open=True),
    "lm_studio": Provider(base="LM_STUDIO_API_BASE", open=True),
    "ollama": Provider(base="OLLAMA_API_BASE", open=True),
    "ollama_chat": Provider(base="OLLAMA_API_BASE", open=True),
    "oobabooga": _LOCAL,
    "vllm": _LOCAL,
    "xinference": _LOCAL,
}


def client_for(model: str, base_url: str | None) -> Client:
    """The client that carries `model`: the openai one for whatever speaks OpenAI's protocol."""
    if model == "offline":
        return "offline"
    if model.startswith("script:"):
        return "script"
    if model.startswith("recording:"):
        return "recording"
    provider = provider_of(model)
    if provider == "openai" or (base_url is not None and provider not in PROVIDERS):
        return "openai"
    return "litellm"


def provider_of(model: str) -> str | None:
    """What stands before the first `/`, or the provider whose bare ids look like this; None when unknown."""
    prefix, slash, _ = model.partition("/")
    if slash:
        return prefix
    if _BARE_OPENAI.match(model):
        return "openai"
    return next((name for start, name in _BARE_PREFIXES.items() if model.startswith(start)), None)


def bare(model: str) -> str:
    """The id as OpenAI's protocol is given it: without the `openai/` before it."""
    return model.removeprefix("openai/")

"""Keys and tokens that tell by their form whose they are."""

from memory.domain.redaction.rule import Passage, Rule, Span, beginning, following

_EDGE = r"(?<![A-Za-z0-9])"
_NUMBERED = r"(?=[A-Za-z_-]{0,64}[0-9])"


def _form(service: str, word: str, form: str, *, kind: str = "API key") -> Rule:
    return Rule(kind, (word,), beginning(rf"{_EDGE}(?P<secret>{form})"), service)


_AFTER_THREE = beginning(r"(?P<secret>8Q~[A-Za-z0-9._~-]{30,512}+)")


def _azure(at: Passage) -> Span | None:
    """A secret of Azure: three characters stand before the mark that all have."""
    found = _AFTER_THREE(at)
    is_one = found and at.start >= 3 and at.text[at.start - 3 : at.start].isalnum()
    return (at.start - 3, found[1]) if found and is_one else None


RULES = (
    Rule(
        "bearer token",
        ("authorization", "proxy-authorization"),
        following(
            r"[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:(?:bearer|basic|token|digest|apikey)\s{1,3}(?![\[<${])"
            r"(?P<secret>[^\s\"',;]{6,512}+))"
        ),
    ),
    Rule(
        "bearer token",
        ("bearer",),
        following(
            r"\s{1,3}(?P<secret>(?=[^\s]{0,64}[0-9])[a-z0-9._~+/-]{16,512}+={0,2})",
            is_whole_word=True,
        ),
    ),
    Rule(
        "token",
        ("eyj",),
        beginning(
            r"(?<![A-Za-z0-9_.-])(?P<secret>eyJ[A-Za-z0-9_-]{8,512}+\.[A-Za-z0-9_-]{2,2000}"
            r"(?:\.[A-Za-z0-9_-]{0,2000}){1,3})"
        ),
    ),
    _form("anthropic", "sk-ant-", rf"sk-ant-{_NUMBERED}[A-Za-z0-9_-]{{12,512}}+"),
    _form("openai", "sk-proj-", rf"sk-proj-{_NUMBERED}[A-Za-z0-9_-]{{12,512}}+"),
    _form("openrouter", "sk-or-", rf"sk-or-{_NUMBERED}[A-Za-z0-9_-]{{12,512}}+"),
    _form("stripe", "sk_live_", r"sk_live_[A-Za-z0-9]{8,512}+"),
    _form("stripe", "sk_test_", r"sk_test_[A-Za-z0-9]{8,512}+"),
    _form("stripe", "rk_live_", r"rk_live_[A-Za-z0-9]{8,512}+"),
    _form("stripe", "rk_test_", r"rk_test_[A-Za-z0-9]{8,512}+"),
    _form("stripe", "whsec_", r"whsec_[A-Za-z0-9+/=]{10,512}+"),
    *(
        _form("", word, rf"{word[:2]}[-_]{_NUMBERED}[A-Za-z0-9_-]{{16,512}}+")
        for word in ("sk-", "sk_", "ak-", "ak_", "rk-", "rk_")
    ),
    *(
        _form("github", f"gh{letter}_", rf"gh{letter}_[A-Za-z0-9]{{20,512}}+")
        for letter in ("p", "o", "u", "s", "r")
    ),
    _form("github", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,512}+"),
    *(
        _form("gitlab", word, rf"{word}[A-Za-z0-9_-]{{16,512}}+")
        for word in ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-")
    ),
    *(
        _form("slack", f"xox{letter}-", rf"xox{letter}-[A-Za-z0-9-]{{10,512}}+")
        for letter in ("a", "b", "e", "o", "p", "r", "s")
    ),
    _form("slack", "xapp-", r"xapp-[A-Za-z0-9-]{16,512}+"),
    *(
        _form("aws", word, rf"{word.upper()}[A-Z0-9]{{16}}(?![A-Za-z0-9])")
        for word in ("akia", "asia", "abia", "acca")
    ),
    _form("google", "aiza", r"AIza[A-Za-z0-9_-]{30,512}+"),
    _form("google", "gocspx-", r"GOCSPX-[A-Za-z0-9_-]{20,512}+"),
    _form("google", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,512}+", kind="token"),
    _form("hugging-face", "hf_", r"hf_[A-Za-z0-9]{20,512}+"),
    _form("npm", "npm_", r"npm_[A-Za-z0-9]{30,512}+"),
    _form("pypi", "pypi-", r"pypi-[A-Za-z0-9_-]{30,512}+"),
    _form("sendgrid", "sg.", r"SG\.[A-Za-z0-9_-]{16,512}+\.[A-Za-z0-9_-]{16,512}+"),
    _form("twilio", "sk", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    _form("digitalocean", "dop_v1_", r"dop_v1_[a-f0-9]{32,512}+"),
    _form("digitalocean", "doo_v1_", r"doo_v1_[a-f0-9]{32,512}+"),
    _form("digitalocean", "dor_v1_", r"dor_v1_[a-f0-9]{32,512}+"),
    *(
        _form("shopify", word, rf"{word}[a-fA-F0-9]{{24,512}}+")
        for word in ("shpat_", "shpca_", "shppa_", "shpss_")
    ),
    _form("mailgun", "key-", r"key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    _form("docker", "dckr_pat_", r"dckr_pat_[A-Za-z0-9_-]{16,512}+"),
    _form("vault", "hvs.", r"hvs\.[A-Za-z0-9_-]{20,512}+", kind="token"),
    _form("databricks", "dapi", r"dapi[0-9a-f]{32}(?![A-Za-z0-9])"),
    _form("atlassian", "atatt3", r"ATATT3[A-Za-z0-9_=-]{20,512}+"),
    _form("groq", "gsk_", r"gsk_[A-Za-z0-9]{20,512}+"),
    _form("xai", "xai-", r"xai-[A-Za-z0-9]{20,512}+"),
    _form("perplexity", "pplx-", r"pplx-[A-Za-z0-9]{20,512}+"),
    _form("replicate", "r8_", r"r8_[A-Za-z0-9]{20,512}+"),
    _form("nvidia", "nvapi-", r"nvapi-[A-Za-z0-9_-]{20,512}+"),
    _form("tailscale", "tskey-", r"tskey-[A-Za-z0-9-]{12,512}+"),
    _form("postman", "pmak-", r"PMAK-[A-Za-z0-9-]{20,512}+"),
    _form("linear", "lin_api_", r"lin_api_[A-Za-z0-9]{16,512}+"),
    _form("notion", "ntn_", r"ntn_[A-Za-z0-9]{20,512}+"),
    _form("figma", "figd_", r"figd_[A-Za-z0-9_-]{20,512}+"),
    _form("grafana", "glsa_", r"glsa_[A-Za-z0-9_]{20,512}+"),
    _form("grafana", "glc_", r"glc_[A-Za-z0-9+/=]{20,512}+"),
    _form("sentry", "sntrys_", r"sntrys_[A-Za-z0-9+/=_]{20,512}+"),
    _form("supabase", "sbp_", r"sbp_[a-f0-9]{20,512}+"),
    _form("rubygems", "rubygems_", r"rubygems_[a-f0-9]{20,512}+"),
    _form("square", "sq0csp-", r"sq0csp-[A-Za-z0-9_-]{20,512}+"),
    _form("longhand", "lh_", r"lh_[A-Za-z0-9_-]{40,512}+", kind="token"),
    _form("age", "age-secret-key-", r"AGE-SECRET-KEY-1[A-Z0-9]{16,512}+", kind="private key"),
    Rule("API key", ("8q~",), _azure, "azure"),
)

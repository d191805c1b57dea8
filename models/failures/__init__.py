"""Failures of drives: rates, data loss of arrays, wear-out together, and drives to replace.

A group of drives loses data by independent failures and unreadable sectors
(`loss_probability_parts`) and by wear-out (`wear_out_loss_probability` of one generation of
drives, `generations_loss_probability` over a horizon); `total_loss_probability` adds them up,
`any_loss_probability` those of several groups. A mean time to data loss alone answers no question.
"""

from models.failures.combined import (
    any_loss_probability,
    expected_lost_bytes,
    total_loss_probability,
)
from models.failures.data_loss import LossParts, loss_probability, loss_probability_parts, mttdl_s
from models.failures.generations import generations_loss_probability
from models.failures.lives import (
    LognormalWearOutLaw,
    WearOutLaw,
    WeibullWearOutLaw,
    failed_or_worn_fraction,
    lognormal_failed_fraction,
    normal_failed_fraction,
    replaced_failed_fraction,
    surviving_fraction,
    weibull_failed_fraction,
)
from models.failures.protection import replacement_age_s, stagger_s
from models.failures.rates import (
    afr_fraction,
    afr_from_mtbf,
    failures_per_s,
    failures_per_s_quantile,
    mean_failures_per_s,
    predicted_failures_quantile,
    predicted_failures_sd,
)
from models.failures.renewals import (
    closed_form_replacements,
    early_life_cv,
    early_limit_bytes,
    early_mean_life,
    expected_failures,
)
from models.failures.spares import (
    DriveLife,
    Replacements,
    mean_replacements,
    replacement_shares,
    replacements_over,
    replacements_quantile,
    replacements_sd,
)
from models.failures.unreadable import (
    latent_probability,
    scrubbed_latent_probability,
    unreadable_probability,
)
from models.failures.wear_out import (
    Group,
    bought_apart_loss_probability,
    staggered_loss_probability,
    wear_out_loss_probability,
)

__all__ = [
    "DriveLife", "Group", "LognormalWearOutLaw", "LossParts", "Replacements", "WearOutLaw",
    "WeibullWearOutLaw", "afr_fraction", "afr_from_mtbf", "any_loss_probability",
    "bought_apart_loss_probability", "closed_form_replacements", "early_life_cv",
    "early_limit_bytes", "early_mean_life", "expected_failures", "expected_lost_bytes",
    "failed_or_worn_fraction", "failures_per_s", "failures_per_s_quantile",
    "generations_loss_probability", "latent_probability", "lognormal_failed_fraction",
    "loss_probability", "loss_probability_parts", "mean_failures_per_s", "mean_replacements",
    "mttdl_s", "normal_failed_fraction", "predicted_failures_quantile", "predicted_failures_sd",
    "replaced_failed_fraction", "replacement_age_s", "replacement_shares", "replacements_over",
    "replacements_quantile", "replacements_sd", "scrubbed_latent_probability", "stagger_s",
    "staggered_loss_probability", "surviving_fraction", "total_loss_probability",
    "unreadable_probability", "wear_out_loss_probability", "weibull_failed_fraction",
]  # fmt: skip

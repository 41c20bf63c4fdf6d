"""The colour, marker and dashes of each metric, the same in all figures."""

# The colours of Okabe and Ito, with indigo in the place of yellow, which vanishes on white paper.
BLUE, SKY, GREEN, VERMILION = "#0072B2", "#56B4E9", "#009E73", "#D55E00"
PINK, ORANGE, BLACK, INDIGO = "#CC79A7", "#E69F00", "#000000", "#332288"
SOLID, DASHED, SHORT, DOTTED = "-", (0, (4, 1)), (0, (2, 1)), (0, (1, 1))
LONG_DOT, DASH_DOT = (0, (6, 1, 1, 1)), (0, (3, 1, 1, 1, 1, 1))
LONG, LONG_SHORT = (0, (9, 2)), (0, (9, 2, 3, 2))

# No two metrics have the same marker and dashes, for print in grey; those of one colour differ in
# both; and those that a study shows together have different markers. Those beyond accuracy have
# none: figures name them on their axes.
LOOKS = {
    "P": (BLUE, "o", SOLID),
    "R": (SKY, "s", DASHED),
    "AP": (GREEN, "^", LONG_DOT),
    "nDCG": (VERMILION, "D", SOLID),
    "RR": (PINK, "v", DASH_DOT),
    "Bpref": (ORANGE, "P", SHORT),
    "infAP": (BLACK, "X", DOTTED),
    "F1": (INDIGO, "d", DASHED),
    "F": (ORANGE, (4, 1, 0), DASH_DOT),
    "DCG": (GREEN, "*", SHORT),
    "ERR": (BLACK, "<", SHORT),
    "Q": (SKY, "P", DOTTED),
    "RBP": (BLUE, "h", LONG_DOT),
    "Rprec": (PINK, "s", LONG),
    "NCG": (VERMILION, "o", LONG_SHORT),
    "SDCG": (INDIGO, "*", LONG),
    "INST": (SKY, "d", LONG),
    "Compat": (ORANGE, "^", LONG),
    "Success": (ORANGE, ">", SOLID),
    "Judged": (INDIGO, (4, 1, 0), SOLID),
    "FP": (GREEN, "X", LONG_SHORT),
    "CP": (BLUE, "^", LONG_SHORT),
    "Fallout": (BLACK, "v", SOLID),
    "MissRate": (ORANGE, "D", DOTTED),
    "InversePrecision": (PINK, "X", SHORT),
    "InverseRecall": (BLACK, "P", DASH_DOT),
    "Markedness": (SKY, "h", SHORT),
    "Informedness": (GREEN, (4, 1, 0), DOTTED),
    "MCC": (BLUE, "*", DASHED),
    "KendallTau": (VERMILION, ">", SHORT),
    "AverageMarkedness": (PINK, ">", LONG_DOT),
    "AverageInformedness": (SKY, "v", LONG_DOT),
    "AUC": (INDIGO, "p", LONG_DOT),
    "LAUC": (VERMILION, "<", DASH_DOT),
    "MPR": (BLACK, "D", LONG),
    "MAE": (PINK, "h", SOLID),
    "MSE": (INDIGO, "^", SHORT),
    "RMSE": (BLUE, "<", DOTTED),
    "NMAE": (VERMILION, "d", LONG_DOT),
    "IPS": (VERMILION, "h", LONG),
    "SNIPS": (BLUE, "p", LONG),
    "Stratified": (GREEN, "<", LONG),
    "alpha_nDCG": (INDIGO, "h", DOTTED),
    "alpha_beta_nDCG": (SKY, ">", DASH_DOT),
    "S_Recall": (PINK, "p", DASHED),
    "S_RR": (ORANGE, "X", LONG_DOT),
    "ERR_IA": (BLACK, (4, 1, 0), DASHED),
    "NRBP": (BLUE, "d", SHORT),
    "EU": (VERMILION, "*", DOTTED),
    "RBU": (GREEN, "s", DASH_DOT),
}

# Looks of metrics that are not listed above, of which the same holds.
SPARE = (
    (GREEN, "p", SOLID),
    (VERMILION, "v", DASHED),
    (INDIGO, "X", DASH_DOT),
    (GREEN, "h", DASHED),
    (PINK, "d", DOTTED),
    (SKY, "^", SOLID),
    (BLACK, "s", LONG_DOT),
    (ORANGE, "o", DASHED),
    (BLUE, "D", DASH_DOT),
)

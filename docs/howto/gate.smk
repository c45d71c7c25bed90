# A rule for Snakemake; MultiQC finds its output by the end of the name.
rule retrieval:
    input:
        hits="new.m8",
        labels="classes.tsv.gz",
        queries="queries.txt",
        baseline="old.json",
    output:
        "retrieval_mqc.json",
    shell:
        "tapviz score {input.hits} --labels {input.labels} --queries {input.queries} -k 5 "
        "--baseline {input.baseline} --fail-if 'tap < -0.01' --output multiqc > {output}"

# A rule for Snakemake. When a score fell it deletes the output, and the rules that need it do not
# run, but it keeps logs: the report is one, which MultiQC finds by the end of its name.
rule retrieval:
    input:
        hits="new.m8",
        labels="classes.tsv.gz",
        queries="queries.txt",
        baseline="old.json",
    output:
        touch("retrieval.passed"),
    log:
        report="retrieval_mqc.json",
        said="retrieval.log",
    shell:
        "tapviz score {input.hits} --labels {input.labels} --queries {input.queries} -k 5 "
        "--baseline {input.baseline} --fail-if 'tap < -0.01' -o {log.report} 2> {log.said}"

# English. A key here has its twin, with the same variables, in zh.ftl.

colon = {": "}
comma = {", "}
semicolon = {"; "}

column-study = study
column-cpu = CPU
column-platform = platform
column-vm_size = VM size
column-vcpus = vCPUs
column-memory_gib = memory (GiB)
column-workers = workers
column-tls_mode = mode
column-accelerator = accelerator
column-soft_ratio = software share (%)
column-connection = connection
column-tool = tool
column-tool_version = tool version
column-connections = connections
column-threads = threads
column-requests = requests
column-duration_s = duration (s)
column-instances = instances
column-protocol = protocol
column-cipher = cipher
column-key_type = key
column-replicate = replicate
column-block = block
column-start = server start
column-rps = requests/s
column-rps_printed = requests/s as printed
column-sign_per_s = signatures/s
column-latency_mean_ms = mean latency (ms)
column-latency_p50_ms = median latency (ms)
column-latency_p90_ms = p90 latency (ms)
column-latency_p99_ms = p99 latency (ms)
column-latency_max_ms = maximum latency (ms)
column-errors = errors
column-errors_connect = connect errors
column-errors_read = read errors
column-errors_write = write errors
column-errors_timeout = timeouts
column-errors_status = failing statuses
column-errors_tls = TLS errors
column-cpu_util = CPU use (%)
column-client_cpu_util = client CPU use (%)
column-queues_min = free queues, minimum
column-connects = connections opened
column-bytes_received = bytes received
column-handshakes_full = full handshakes
column-handshakes_resumed = resumed handshakes

level-platform-bare_metal = whole machine
level-platform-vm = VM
level-platform-container = container
level-accelerator-none = none
level-accelerator-kae = KAE
level-accelerator-vkae = vKAE
level-tls_mode-sync = sync
level-tls_mode-async = async
level-connection-short = short
level-connection-long = long
level-unknown = not stated

table-contender = compared
table-ratio = ratio
table-gain = gain
table-change = change
table-basis = basis
table-n = n
table-interval = {$confidence} interval
table-range = range
table-runs = runs
table-overall = geo. mean of {$strata}
table-name = name
table-title = title
table-measured = what was measured

basis-replicates = replicates
basis-blocks = blocks
basis-assumed = assumed
basis-single = single run
basis-none = none

title-summary = Measured: {$metric}
title-comparison = {$metric}: {$factor} {$contender} against {$baseline}
title-comparisons = {$metric} by {$factor}, against {$baseline}
title-datasets = Documented studies

warning-single-run = A single run says nothing of the spread, nor do runs of a single server start, so there is no interval. Measure every setting at least 3 times, better 5, or state the spread (--assume-cv 2%; Python: assume_cv=0.02).
warning-assumed-spread = The interval rests on a stated coefficient of variation of {$cv}, not on measured spread. It is as good as that number.
warning-identical-values = All runs of a setting agree to the last digit, so they show no spread. Check whether values were copied or rounded.
warning-identical-ratios = Every block gives the same ratio, so no spread can be computed. Check whether values were computed from each other.
warning-incomplete-blocks = { $runs ->
    [one] One run or server start stands in a block that lacks the other side, and is left out. Run what is missing.
   *[other] {$runs} runs or server starts stand in blocks that lack the other side, and are left out. Run what is missing.
}
warning-unused-blocks = Some runs name no block, or fewer than two blocks hold both sides, so the blocks are left out of account. Number every round in which each setting ran.
warning-mixed-bases = Some of the ratios rest on blocks and others do not, so no interval is given for their mean. Complete the blocks, or use the method log-welch.
warning-shared-starts = Several settings name the same server starts, so they are not independent, and no interval rests on them together. If they are different starts, give each a name of its own.
warning-repeated-block = A block holds several runs of one setting; they count as one, their mean. If they come from different rounds, number these; if from different measurements, tell them apart by the column study.
warning-unknown-level = Some runs do not state {$factor}; they are compared with each other as if they agreed in it. Fill it in.
warning-every-run-apart = The column {$column} makes every run a setting of its own, so that none is repeated. If it is no factor, leave it out with --ignore {$column} (Python: ignore="{$column}").
warning-not-compared = {$factor} is not compared: {$reason}.
warning-missing-glyphs = The bundled fonts lack {$characters}; a PNG shows □ in their place, an SVG what the viewer's fonts have.
warning-no-blocks = The runs name no blocks, so they cannot be compared in pairs. Fill in the column block, or use the method log-welch.
warning-unbounded-interval = The spread is so large, or known so poorly, that the interval has no finite end. Check the values, and run more.
warning-varies-together = {$factor} changes as well ({$baseline} against {$contender}), so the ratio is that of both changes together.
warning-ignored-varies = {$factor} varies within what is compared, as it was left out of the matching.
warning-unmatched = { $cells ->
    [one] One configuration has no counterpart and is left out: {$example}.
   *[other] {$cells} configurations have no counterpart and are left out, for example {$example}.
}
warning-metric-missing = { $runs ->
    [one] One run has no value of {$metric} and is left out.
   *[other] {$runs} runs have no value of {$metric} and are left out.
}
warning-same-replicate = { $runs ->
    [one] One run has the settings, block and replicate number of another. Check whether it was read twice.
   *[other] {$runs} runs have the settings, block and replicate number of another. Check whether they were read twice.
}
warning-summed-up = {$runs} runs were summed up while they were read, to {$settings} {$settings ->
    [one] row
   *[other] rows
} with count, mean and spread: more than that are not held in memory. What needs every run (drift, outliers, ranks, bootstraps) is left out.
warning-not-stated = { $runs ->
    [one] One run does
   *[other] {$runs} runs do
} not state {$factor} and { $runs ->
    [one] is
   *[other] are
} left out. Fill it in.
warning-numbers-beside-levels = The column {$column} is not known, holds numbers only and is taken as a factor. If its numbers are measured, say which level they belong to: --map '{$column}=accelerator=LEVEL'.
warning-left-out = The column {$column} of {$source} is a number of the row or computed from others, and is left out. To keep it as a factor, map it to itself: --map '{$column}={$column}'.
warning-no-such-header = No column of {$source} is called {$header}, so there was nothing to rename.
warning-assumed-metric = The table spreads a factor over its columns and names no metric; the values are taken as {$metric}.
warning-similar-column = The column {$column} is not known and is taken as a further factor. If {$known} is meant, rename it.

figure-bars = {$metric} by {$factors}
figure-whiskers = Whiskers: {$confidence} confidence interval (basis: {$basis}).
figure-bars-single = Pale bars are single runs: nothing is known of their spread.
figure-marks-single = Hollow marks lack a second run somewhere: nothing is known of their spread.
figure-bars-without = Pale bars have no interval.
figure-marks-without = Hollow marks have no interval.
figure-ratio-axis = {$metric}: ratio to {$factor} {$baseline}, logarithmic
figure-arrows = Arrows: the interval goes on beyond the axis; the table has its ends.
figure-diamond = Diamond: geometric mean of the rows above, as wide as its interval.
figure-right-better = {" (right of 1 is better)"}
figure-left-better = {" (left of 1 is better)"}

conclusion-within = {"With "}{$factor} {$level}{": "}
conclusion-one = {$metric} with {$factor} {$contender} is {$typical} times that with {$baseline} ({$typical-gain}).
conclusion-several = {$metric} with {$factor} {$contender} is {$least} to {$most} times that with {$baseline} over {$strata} settings ({$least-gain} to {$most-gain}; geometric mean {$typical}, {$typical-gain}).
conclusion-single-runs = { $strata ->
    [one] A single run: by how much a repetition would differ is not known.
   *[other] Single runs: by how much a repetition would differ is not known.
}
conclusion-winner = { $strata ->
    [one] Its {$confidence} interval excludes 1, in favour of {$winner}.
   *[other] The {$confidence} interval excludes 1 in every setting, in favour of {$winner}.
}
conclusion-differs = { $strata ->
    [one] Its {$confidence} interval excludes 1.
   *[other] The {$confidence} interval excludes 1 in every setting.
}
conclusion-not-shown = { $strata ->
    [one] Its {$confidence} interval includes 1, so a difference is not shown; that is not the same as no difference.
   *[other] Every {$confidence} interval includes 1, so a difference is not shown; that is not the same as no difference.
}
conclusion-mixed = Of {$strata} settings, the {$confidence} interval lies above 1 in {$above}, below 1 in {$below}, includes 1 in {$open}, and is missing in {$without}.
conclusion-assumed = { $strata ->
    [one] The interval rests on a stated spread.
   *[other] {$assumed} of {$strata} intervals rest on a stated spread.
}

cli-written = {$files} files written to {$folder}

dataset-source = Source
dataset-client = Client
dataset-server = Server
dataset-conditions = Conditions
dataset-notes = What the document leaves out or gets wrong:
dataset-claims = What the document says:

report-title = HTTPS with and without a crypto accelerator
report-lead = Ratios compare settings that differ in one factor and agree in all others. An interval is given wherever something is known of the spread; where there is none, the table says why.
report-summary = In short
report-nothing-compared = No factor has two levels that could be compared.
report-runs = runs
report-unnamed = Runs
report-method = What the numbers mean
report-provenance = Made from

method-ratio = A ratio is the geometric mean of the compared runs divided by that of the baseline; a gain is the ratio minus 1. Means and intervals are computed on logarithms, since the noise of throughput is multiplicative.
method-replicates = Basis replicates: Welch's t interval on logarithms, from the spread of the repeated runs of each setting by itself.
method-blocks = Basis blocks: a paired t interval on the log ratios within each block, so that what changes from block to block cancels.
method-assumed = Basis assumed: an interval from a stated coefficient of variation, for settings whose runs show no spread; it is as good as that number.
method-none = Single run: without a repetition nothing is known of the spread, so there is no interval, and a small difference may be noise.

title-runs = { $runs ->
    [one] One run from {$source}
   *[other] {$runs} runs from {$source}
}
conclusion-no-interval = No interval could be given; the notes below the table say why.
conclusion-reversed = The effect turns around: of {$strata} settings, the {$confidence} interval lies above 1 in {$above} and below 1 in {$below}.
title-first = {$title}, the first {$shown} of them

warning-pooled-spread = A setting was run once, so the interval rests on the spread of what else the study repeated ({$df} { $df ->
    [one] degree
   *[other] degrees
} of freedom). Repeat every setting.
warning-nothing-to-pool = The study repeats no setting and declares no control, so there is no spread to pool. Repeat some settings, or name a factor that cannot act (--control tls_mode@accelerator=none; Python: controls=["tls_mode@accelerator=none"]).
warning-control-under-test = {$factor} is declared to make no difference here, and that is what is asked, so the declaration is no ground for an answer. Repeat these settings.
warning-too-few-for-ranks = Ranks reach this confidence with at least {$runs} runs of each setting. Run more, or use the method log-welch.
warning-two-settings-only = The method {$method} compares two settings, so there is no interval for a mean over several or a ratio of ratios. Use log-welch or a bootstrap for it.
basis-pooled = pooled
method-pooled = Basis pooled: a t interval on logarithms from the spread of everything that the study repeated, declared controls included, taken to be the same for every setting.

table-p-adjusted = p ({$adjust})
table-equivalence = within {$margin}
verdict-equivalent = equivalent
verdict-different = different
verdict-inconclusive = inconclusive

table-other-ratio = other ratio
table-interaction = ratio of ratios
table-effect-of = effect of
table-effect = log effect
table-lenth = Lenth
table-aliases = not told from
lenth-within = within the margin
lenth-beyond-margin = beyond the margin of one
lenth-beyond-simultaneous = beyond the margin of all
title-interaction = {$metric}: ratio of {$factor} {$contender} to {$baseline}, by {$by}
title-effects = {$metric}: effects of {$factors}
effects-lenth = On logarithms, the pseudo standard error is {$pse}, the margin of error of one effect {$me}, and that of all at once {$sme} ({$confidence}). Effects within it are not told from noise.
warning-unreplicated = No setting was repeated, so effects have no intervals. Repeat the settings, or judge the effects against each other (--unreplicated lenth; Python: unreplicated="lenth").

setting-only = the only setting
warning-drift = Values change by {$change} over the {$runs} runs of a setting, in the order in which they stand. Run in rounds with a column block, so that it cancels, and look for warming up, connections in TIME_WAIT or another load.
warning-autocorrelation = A run resembles the one before it, so runs tell less than their number says. Restart the server between them, or name its starts in a column start.
warning-outlier = {$value} ({$setting}) lies far from the other runs of its setting. Nothing is left out; look for what happened in that run, and repeat it if there was a fault.
warning-unequal-spread = The spread differs between settings: coefficients of variation from {$least} to {$most}. The methods auto, log-welch and log-paired allow for that, log-pooled does not.
warning-repeated-value = {$value} stands {$times} times in one setting ({$setting}). Check whether values were copied.
warning-copied-runs = {$setting} has the same values in the same order as {$original}. Check whether they were copied.
warning-coarse-rounding = Values are rounded so that {$value} carries ±{$share}. Use a tool that gives more digits, or a longer run.

table-claim = claim
table-setting = setting
table-stated = stated
table-recomputed = recomputed
table-verdict = verdict
table-stored = stored
table-new = new
table-cv = CV
table-half-width = interval
table-detectable = detects
table-runs-for-effect = for +{$effect}
table-runs-for-width = for ±{$width}
table-all-settings = all settings
table-property = looked at
table-result = result
title-audit = Published sentences, recomputed
title-check = {$metric}, new runs against stored ones, a loss of at most {$loss}{$adjust}: {$verdict}
title-plan = Runs that each of two settings needs ({$confidence} intervals of their ratio, {$power} power)
title-quality = {$metric}: quality of {$runs} runs
claim-over = all {$strata}
claim-reason = Not testable: {$reason}.
claim-how = {$verdict} ({$how})
claim-confirmed = confirmed
claim-understated = understated
claim-overstated = overstated
claim-contradicted = contradicted
claim-partly_confirmed = partly confirmed
claim-not_testable = not testable
claim-by-rounding = rounded
claim-by-truncation = cut off
claim-by-undecided = undecided
check-adjusted = {", "}{$adjust}
check-more = { $runs ->
    [one] {$verdict}, 1 more run of each
   *[other] {$verdict}, {$runs} more runs of each
}
check-new = new
check-gone = gone
check-pass = pass
check-inconclusive = inconclusive
check-regression = regression
quality-drift = drift over the runs of a setting
quality-autocorrelation = dependence on the run before
quality-outliers = outliers
quality-spread = equal spread of the settings
quality-copies = copied or repeated values
quality-rounding = rounding
quality-fine = nothing found
quality-found = found
quality-too-few = too few runs to tell

conclusion-superiority = Of all pairs of one run each, the one with {$contender} is the better one in {$least}.
conclusion-superiority-range = Of all pairs of one run each, the one with {$contender} is the better one in {$least} to {$most}.

warning-too-many-for-ranks = There are too many runs for ranks of all their pairs. Use the method log-welch, which needs no more of them.

warning-blocks-ignored = The method {$method} leaves the blocks out of account. The method auto compares within them, so that what changes from round to round cancels.
warning-few-for-bootstrap = With fewer than 10 runs of a setting the interval of the method {$method} is too short: it covers the truth less often than it says. Use auto, or run more.
warning-confounded = {$term} cannot be told from the other effects, since settings are missing, and is taken to be none. Effects of its factors hold only where that is so; measure the missing settings.
warning-few-effects = So few effects cannot be judged against each other. Repeat the settings.
warning-drift-blocks = Values change by {$change} over the {$runs} rounds. It cancels in comparisons within blocks; look for warming up, connections in TIME_WAIT or another load all the same.

table-rounds = rounds
title-plan-rounds = Rounds that a comparison of two settings within them needs ({$confidence} intervals of their ratio, {$power} power)
check-gone-too = {$verdict}, {$gone} gone
effects-ratio = The ratio is from low to high; of two factors it is the ratio of two ratios, and so on: of k factors exp(2^(k−1) × log effect).
effects-residual = One run lies around the model with a standard deviation of {$sigma} on logarithms ({$df} degrees of freedom); the effects account for {$r-squared} of the variation.

remark-status-unseen = {$tool} does not look at the HTTP status, so error pages pass for good responses. Check the size of a response, or the access log of the server.
remark-rounded = {$tool} prints the rate as a whole number and shows nothing more precise.
remark-counts-bad = The rate that {$tool} prints counts bad responses too; rps is that of the good ones.
remark-may-resume = {$tool} resumes TLS sessions where the server lets it, and a resumed handshake signs nothing. Switch the session cache and the tickets of the server off, or count $ssl_session_reused.
remark-long-connections = {$tool} opened far fewer connections than it made requests: they were kept, so that few handshakes were made.
remark-interrupted = {$tool} stopped before it was done; the rate is that of what it did.
remark-fewer-connections = {$tool} opened {$detail} connections, fewer than it was told: as many for each of its threads.
remark-cpu-time = {$tool} counted CPU time, so that the rate is not one per second that passed. Use -elapsed.
remark-load-held = {$tool} held the rate that -R told it to: rps is the load that was asked for, not what the server can do. For that, ask for more than the server manages.
remark-load-capped = {$tool} makes no more requests than -R tells it to and does not print that number: rps is at most that, and what the server can do only where it is less.
remark-whole-seconds = {$tool} counts whole seconds, so that rps may be off by {$detail}. Let it run longer.
remark-unread = A line of {$tool} is not understood: {$detail}

warning-not-imported = {$file} gave no run: {$reason}.
cli-imported = { $runs ->
    [one] One run written to {$file}
   *[other] {$runs} runs written to {$file}
}
title-import = What the files hold
table-file = file
table-line = line
table-rate = rate
table-labels = known of the run
table-reason = why no run
remark-engine-missing = {$tool} could not load the engine and measured software instead: {$detail}. Check OPENSSL_CONF, the path of the engine and its dependencies.

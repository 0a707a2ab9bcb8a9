# 简体中文。每个键及其变量与 en.ftl 一一对应。

colon = ：
comma = ，
semicolon = ；

column-study = 研究
column-cpu = 处理器
column-platform = 平台
column-vm_size = 虚拟机规格
column-vcpus = 虚拟 CPU 数
column-memory_gib = 内存 (GiB)
column-workers = 工作进程数
column-tls_mode = 模式
column-accelerator = 加速器
column-soft_ratio = 软算比例 (%)
column-connection = 连接
column-tool = 工具
column-tool_version = 工具版本
column-connections = 连接数
column-threads = 线程数
column-requests = 请求数
column-duration_s = 时长 (s)
column-instances = 实例数
column-protocol = 协议
column-cipher = 加密套件
column-key_type = 密钥
column-replicate = 重复
column-block = 区组
column-start = 服务端启动编号
column-rps = 每秒请求数
column-rps_printed = 工具所报每秒请求数
column-sign_per_s = 每秒签名数
column-latency_mean_ms = 平均时延 (ms)
column-latency_p50_ms = 时延中位数 (ms)
column-latency_p90_ms = P90 时延 (ms)
column-latency_p99_ms = P99 时延 (ms)
column-latency_max_ms = 最大时延 (ms)
column-errors = 错误数
column-errors_connect = 连接错误数
column-errors_read = 读错误数
column-errors_write = 写错误数
column-errors_timeout = 超时数
column-errors_status = 失败状态数
column-errors_tls = TLS 错误数
column-cpu_util = CPU 利用率 (%)
column-client_cpu_util = 客户端 CPU 利用率 (%)
column-queues_min = 最少空闲队列数
column-connects = 建立的连接数
column-bytes_received = 接收字节数
column-handshakes_full = 完整握手数
column-handshakes_resumed = 复用握手数

level-platform-bare_metal = 整机
level-platform-vm = 虚拟机
level-platform-container = 容器
level-accelerator-none = 无
level-accelerator-kae = KAE
level-accelerator-vkae = vKAE
level-tls_mode-sync = 同步
level-tls_mode-async = 异步
level-connection-short = 短连接
level-connection-long = 长连接
level-unknown = 未说明

table-contender = 对比项
table-ratio = 比值
table-gain = 提升
table-change = 变化
table-basis = 依据
table-n = n
table-interval = {$confidence} 区间
table-range = 范围
table-runs = 运行次数
table-overall = {$strata} 项的几何平均
table-name = 名称
table-title = 标题
table-measured = 测量内容

basis-replicates = 重复运行
basis-blocks = 区组
basis-assumed = 假定
basis-single = 单次运行
basis-none = 无

title-summary = 测量值：{$metric}
title-comparison = {$metric}：{$factor}“{$contender}”与“{$baseline}”之比
title-comparisons = 按{$factor}比较{$metric}，基线为“{$baseline}”
title-datasets = 文档中的研究

warning-single-run = 单次运行（或同一次服务器启动内的运行）无法说明离散程度，因此没有区间。每种配置至少测 3 次，最好 5 次，或指定离散程度（--assume-cv 2%；Python：assume_cv=0.02）。
warning-assumed-spread = 区间基于声明的变异系数 {$cv}，而非实测的离散程度；其可靠性取决于该数值。
warning-identical-values = 同一配置的所有运行数值完全相同，无法反映离散程度。请检查数值是否被复制或取整。
warning-identical-ratios = 每个区组的比值完全相同，无法计算离散程度。请检查数值是否由彼此换算而来。
warning-incomplete-blocks = { $runs ->
   *[other] 有 {$runs} 次运行或服务端启动所在的区组缺少另一侧，未计入。请补测缺失的运行。
}
warning-unused-blocks = 部分运行没有区组，或同时包含两侧的区组少于两个，因此不使用区组。请为每一轮测试编号。
warning-mixed-bases = 部分比值基于区组而其他不是，因此不给出其均值的区间。请补全区组，或使用 log-welch 方法。
warning-shared-starts = 多种配置使用了相同的服务器启动编号，彼此不独立，因此不给出共同的区间。如果是不同的启动，请分别编号。
warning-repeated-block = 同一区组内某配置有多次运行，按一次（其均值）计。如果来自不同轮次，请分别编号；如果来自不同测量，请用 study 列区分。
warning-unknown-level = 部分运行没有给出 {$factor}；它们被当作取值相同而互相比较。请补全。
warning-every-run-apart = 列 {$column} 使每次运行都成为单独的配置，因此没有重复。如果它不是因子，请用 --ignore {$column}（Python：ignore="{$column}"）排除。
warning-not-compared = 未比较 {$factor}：{$reason}。
warning-missing-glyphs = 内置字体缺少 {$characters}；PNG 中以 □ 代替，SVG 则取决于查看器的字体。
warning-no-blocks = 运行没有区组信息，无法配对比较。请填写 block 列，或使用 log-welch 方法。
warning-unbounded-interval = 离散程度过大，或所知甚少，区间没有有限的端点。请检查数值，并增加运行次数。
warning-varies-together = {$factor} 同时变化（{$baseline} 与 {$contender}），因此该比值是两种变化共同的结果。
warning-ignored-varies = {$factor} 在被比较的运行之间变化，因为它被排除在匹配之外。
warning-unmatched = { $cells ->
   *[other] 有 {$cells} 种配置没有对应的配置，未参与比较，例如 {$example}。
}
warning-metric-missing = { $runs ->
   *[other] 有 {$runs} 次运行没有 {$metric} 的数值，未计入。
}
warning-same-replicate = { $runs ->
   *[other] 有 {$runs} 次运行与另一次运行的配置、区组和重复编号相同。请检查是否重复读取。
}
warning-summed-up = 读取时已把 {$runs} 次运行按设置汇总为 {$settings} 行（次数、均值与离散程度），因为内存中不保留这么多运行。需要逐次运行的分析（漂移、离群值、秩、自助法）从略。
warning-not-stated = 有 {$runs} 次运行没有写明 {$factor}，已略去。请补全。
warning-numbers-beside-levels = 列 {$column} 不是已知的列，只含数字，按附加因子处理。如果这些数字是测量值，请写明所属水平：--map '{$column}=accelerator=水平'。
warning-left-out = {$source} 的列 {$column} 是行号或由其他列计算得出，已略去。如需作为因子保留，请映射到自身：--map '{$column}={$column}'。
warning-no-such-header = {$source} 中没有名为 {$header} 的列，无可改名。
warning-assumed-metric = 表格把一个因子展开为多列且没有写明指标；数值按 {$metric} 读取。
warning-similar-column = 列 {$column} 不是已知的列，按附加因子处理。如果指的是 {$known}，请改名。

figure-bars = 按{$factors}划分的{$metric}
figure-whiskers = 误差线：{$confidence} 置信区间（依据：{$basis}）。
figure-bars-single = 浅色条为单次运行：离散程度未知。
figure-marks-single = 空心标记至少有一侧只有单次运行：离散程度未知。
figure-bars-without = 浅色条没有区间。
figure-marks-without = 空心标记没有区间。
figure-ratio-axis = {$metric}：与{$factor}“{$baseline}”的比值（对数刻度）
figure-arrows = 箭头：区间超出坐标轴，端点见表格。
figure-diamond = 菱形：以上各行的几何平均，宽度即其区间。
figure-right-better = ，1 的右侧更好
figure-left-better = ，1 的左侧更好

conclusion-within = {$factor}为“{$level}”时：
conclusion-one = {$factor}为“{$contender}”时，{$metric}是“{$baseline}”的 {$typical} 倍（{$typical-gain}）。
conclusion-several = {$factor}为“{$contender}”时，{$metric}是“{$baseline}”的 {$least} 至 {$most} 倍（{$strata} 种配置，{$least-gain} 至 {$most-gain}；几何平均 {$typical} 倍，{$typical-gain}）。
conclusion-single-runs = { $strata ->
    [1] 为单次运行：重复测量会相差多少尚不可知。
   *[other] 均为单次运行：重复测量会相差多少尚不可知。
}
conclusion-winner = { $strata ->
    [1] 其 {$confidence} 区间不包含 1，“{$winner}”更优。
   *[other] 每种配置的 {$confidence} 区间都不包含 1，“{$winner}”更优。
}
conclusion-differs = { $strata ->
    [1] 其 {$confidence} 区间不包含 1。
   *[other] 每种配置的 {$confidence} 区间都不包含 1。
}
conclusion-not-shown = { $strata ->
    [1] 其 {$confidence} 区间包含 1，未能证明存在差异；但这不等于没有差异。
   *[other] 所有 {$confidence} 区间都包含 1，未能证明存在差异；但这不等于没有差异。
}
conclusion-mixed = {$strata} 种配置中，{$confidence} 区间在 1 以上的有 {$above} 种，在 1 以下的有 {$below} 种，包含 1 的有 {$open} 种，没有区间的有 {$without} 种。
conclusion-assumed = { $strata ->
    [1] 该区间基于声明的离散程度。
   *[other] {$strata} 个区间中有 {$assumed} 个基于声明的离散程度。
}

cli-written = 已将 {$files} 个文件写入 {$folder}

dataset-source = 来源
dataset-client = 客户端
dataset-server = 服务端
dataset-conditions = 条件
dataset-notes = 文档遗漏或有误之处：
dataset-claims = 文档的结论：

report-title = HTTPS 加解密加速测试报告
report-lead = 比值所比较的配置只有一个因子不同，其余全部相同。凡是离散程度可知之处都给出区间；没有区间的，表格说明原因。
report-summary = 结论摘要
report-nothing-compared = 没有任何因子具有可比较的两个水平。
report-runs = 运行次数
report-unnamed = 运行
report-method = 数字的含义
report-provenance = 数据来源

method-ratio = 比值是被比较配置的几何平均除以基线的几何平均；提升等于比值减 1。吞吐量的噪声是乘性的，因此均值和区间都在对数尺度上计算。
method-replicates = 依据“重复运行”：对数尺度上的 Welch t 区间，离散程度取自每种配置自身的重复运行。
method-blocks = 依据“区组”：在每个区组内取对数比值，再求配对 t 区间，区组之间的变化因此抵消。
method-assumed = 依据“假定”：对运行无法反映离散程度的配置，由声明的变异系数得到区间，其可靠性取决于该数值。
method-none = 单次运行：没有重复就无法得知离散程度，因此没有区间，较小的差异可能只是噪声。

title-runs = { $runs ->
   *[other] 来自 {$source} 的 {$runs} 次运行
}
conclusion-no-interval = 无法给出区间，原因见表格下方的说明。
conclusion-reversed = 效果出现反转：{$strata} 种配置中，{$confidence} 区间在 1 以上的有 {$above} 种，在 1 以下的有 {$below} 种。
title-first = {$title}，此处显示前 {$shown} 次

warning-pooled-spread = 有的配置只运行了一次，区间依据的是本研究其余重复测试的离散程度（自由度 {$df}）。请重复测试每种配置。
warning-nothing-to-pool = 本研究没有重复任何配置，也没有声明对照，因此没有可合并的离散程度。请重复测试部分配置，或指明不起作用的因子（--control tls_mode@accelerator=none；Python：controls=["tls_mode@accelerator=none"]）。
warning-control-under-test = {$factor} 在此处被声明为不起作用，而这正是所问的问题，因此不能以该声明作答。请重复测试这些配置。
warning-too-few-for-ranks = 秩方法要达到该置信度，每种配置至少需要 {$runs} 次运行。请增加运行次数，或使用 log-welch 方法。
warning-two-settings-only = {$method} 方法只比较两种配置，因此多个比值的均值或比值之比没有区间。请改用 log-welch 或自助法。
basis-pooled = 合并
method-pooled = 依据“合并”：取对数后的 t 区间，离散程度来自本研究的全部重复测试（包括声明的对照），并视为对每种配置都相同。

table-p-adjusted = p（{$adjust}）
table-equivalence = 相差在 {$margin} 以内
verdict-equivalent = 等效
verdict-different = 有差异
verdict-inconclusive = 无法判定

table-other-ratio = 另一比值
table-interaction = 比值之比
table-effect-of = 效应
table-effect = 对数效应
table-lenth = Lenth
table-aliases = 混杂
lenth-within = 在误差界内
lenth-beyond-margin = 超出单个误差界
lenth-beyond-simultaneous = 超出联合误差界
title-interaction = {$metric}：{$factor}{" "}{$contender} 与 {$baseline} 之比，按{$by}
title-effects = {$metric}：{$factors} 的效应
effects-lenth = 在对数尺度上，伪标准误为 {$pse}，单个效应的误差界为 {$me}，全部效应的联合误差界为 {$sme}（{$confidence}）。在误差界内的效应无法与噪声区分。
warning-unreplicated = 没有重复任何配置，因此效应没有区间。请重复测试各配置，或将各效应相互比较（--unreplicated lenth；Python：unreplicated="lenth"）。

setting-only = 唯一的配置
warning-drift = 按记录顺序，同一配置的 {$runs} 次运行中数值变化了 {$change}。请按轮次测试并填写 block 列以抵消漂移，并检查预热、TIME_WAIT 连接或其他负载。
warning-autocorrelation = 每次运行都与前一次相近，因此其信息量少于运行次数。请在各次运行之间重启服务器，或在 start 列注明服务器启动编号。
warning-outlier = {$value}（{$setting}）远离同一配置的其他运行。没有剔除任何数据；请查明该次运行的情况，如有故障请重测。
warning-unequal-spread = 各配置的离散程度不同：变异系数从 {$least} 到 {$most}。auto、log-welch 和 log-paired 方法允许这种情况，log-pooled 不允许。
warning-repeated-value = {$value} 在同一配置（{$setting}）中出现 {$times} 次。请检查数值是否为复制所得。
warning-copied-runs = {$setting} 与 {$original} 的数值和顺序完全相同。请检查是否为复制所得。
warning-coarse-rounding = 数值经过取整，{$value} 带有 ±{$share} 的误差。请使用能给出更多位数的工具，或延长运行时间。

table-claim = 论断
table-setting = 配置
table-stated = 论断值
table-recomputed = 重新计算
table-verdict = 结论
table-stored = 已存
table-new = 新测
table-cv = 变异系数
table-half-width = 区间
table-detectable = 可检出
table-runs-for-effect = +{$effect} 所需
table-runs-for-width = ±{$width} 所需
table-all-settings = 全部配置
table-property = 检查项
table-result = 结果
title-audit = 对已发表论断的重新计算
title-check = {$metric}：新测与已存运行之比，允许下降 {$loss}{$adjust}：{$verdict}
title-plan = 比较两种配置时每种所需的运行次数（比值的 {$confidence} 区间，功效 {$power}）
title-quality = {$metric}：{$runs} 次运行的质量
claim-over = 全部 {$strata} 种
claim-reason = 无法检验：{$reason}。
claim-how = {$verdict}（{$how}）
claim-confirmed = 成立
claim-understated = 说小了
claim-overstated = 说大了
claim-contradicted = 不成立
claim-partly_confirmed = 部分成立
claim-not_testable = 无法检验
claim-by-rounding = 四舍五入
claim-by-truncation = 截尾
claim-by-undecided = 无法判定
check-adjusted = ，{$adjust}
check-more = {$verdict}，各再测 {$runs} 次
check-new = 新增
check-gone = 缺失
check-pass = 通过
check-inconclusive = 无法判定
check-regression = 退化
quality-drift = 同一配置各次运行的漂移
quality-autocorrelation = 与前一次运行的相关
quality-outliers = 离群值
quality-spread = 各配置离散程度是否相同
quality-copies = 复制或重复的数值
quality-rounding = 取整
quality-fine = 未发现问题
quality-found = 发现问题
quality-too-few = 运行太少，无法判断

conclusion-superiority = 两边各取一次运行配对，{$contender} 较优的占 {$least}。
conclusion-superiority-range = 两边各取一次运行配对，{$contender} 较优的占 {$least} 到 {$most}。

warning-too-many-for-ranks = 运行次数太多，无法对全部配对求秩。请使用 log-welch 方法。

warning-blocks-ignored = {$method} 方法没有使用区组。auto 方法在区组内比较，可抵消轮次之间的变化。
warning-few-for-bootstrap = 每种配置少于 10 次运行时，{$method} 方法的区间偏短，实际覆盖率低于名义值。请使用 auto，或增加运行次数。
warning-confounded = 由于缺少部分配置，{$term} 无法与其他效应区分，此处视为不存在。其所含因子的效应仅在此前提下成立；请补测缺少的配置。
warning-few-effects = 效应太少，无法相互比较。请重复测试各配置。
warning-drift-blocks = 在 {$runs} 个轮次中数值变化了 {$change}。在区组内比较时可以抵消；仍请检查预热、TIME_WAIT 连接或其他负载。

table-rounds = 轮次
title-plan-rounds = 在轮次内比较两种配置所需的轮数（比值的 {$confidence} 区间，功效 {$power}）
check-gone-too = {$verdict}，缺失 {$gone} 项
effects-ratio = 比值为从低水平到高水平的比值；两个因子时为比值之比，依此类推：k 个因子时为 exp(2^(k−1) × 对数效应)。
effects-residual = 单次运行围绕模型的对数标准差为 {$sigma}（自由度 {$df}）；各效应解释了 {$r-squared} 的变异。

remark-status-unseen = {$tool} 不检查 HTTP 状态码，错误页面也计为成功响应。请核对响应大小或服务器访问日志。
remark-rounded = {$tool} 的速率只打印整数，没有更精确的数值。
remark-counts-bad = {$tool} 打印的速率包含失败响应；rps 只计成功响应。
remark-may-resume = 服务器允许时，{$tool} 会复用 TLS 会话，而复用的握手不做签名。请关闭服务器的会话缓存与票据，或统计 $ssl_session_reused。
remark-long-connections = {$tool} 建立的连接数远少于请求数：连接被复用，握手很少。
remark-interrupted = {$tool} 未完成即停止；速率只对应已完成的部分。
remark-fewer-connections = {$tool} 实际打开 {$detail} 个连接，少于设定值：每个线程打开的连接数相同。
remark-cpu-time = {$tool} 按 CPU 时间计，速率不是按经过的时间计。请使用 -elapsed。
remark-load-held = {$tool} 达到了 -R 指定的速率：rps 是所要求的负载，不是服务器的能力。要测服务器的能力，请把速率设得高于它能达到的值。
remark-load-capped = {$tool} 发出的请求不会多于 -R 指定的速率，输出中也不显示该速率：rps 至多等于它，只有低于它时才是服务器的能力。
remark-whole-seconds = {$tool} 只按整秒计时，rps 的误差可达 {$detail}。请延长运行时间。
remark-unread = {$tool} 的一行无法理解：{$detail}

warning-not-imported = {$file} 没有得到运行：{$reason}。
cli-imported = 已将 {$runs} 次运行写入 {$file}
title-import = 文件内容
table-file = 文件
table-line = 行
table-rate = 速率
table-labels = 该次运行的已知信息
table-reason = 未得到运行的原因
remark-engine-missing = {$tool} 无法加载引擎，实际测的是软件实现：{$detail}。请检查 OPENSSL_CONF、引擎路径及其依赖。

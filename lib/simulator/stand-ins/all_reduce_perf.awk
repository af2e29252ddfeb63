function bytes(text,   number, suffix) {
  number = text + 0
  suffix = toupper(substr(text, length(text), 1))
  return suffix == "K" ? number * 1024 : suffix == "M" ? number * 1048576 : suffix == "G" ? number * 1073741824 : number
}
function noise(text,   i, h) {
  h = 7
  for (i = 1; i <= length(text); i++) h = (h * 31 + index(letters, substr(text, i, 1))) % 1000003
  return ((h * 7919) % 1000003) / 1000003 - 0.5
}
function fit(x) { return x >= 100000 ? sprintf("%.0f", x) : x >= 10000 ? sprintf("%.1f", x) : sprintf("%.2f", x) }
function half(size, name,   bw, alg, time) {
  bw = busbw * (1 - slow / 100) * size / (size + 10000000) * (1 + 0.006 * noise(seed "/" name "/" size))
  alg = bw / ratio
  time = fit(size / (alg * 1000))
  alg = size / (time * 1000)
  lastbw = alg * ratio
  sum += sprintf("%.2f", lastbw)
  rows++
  return sprintf("  %7s  %6s  %6s", time, sprintf("%.2f", alg), sprintf("%.2f", lastbw))
}
BEGIN {
  letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/-_."
  n = split(hosts, host, ",")
  ranks = n * each
  ratio = ranks > 1 ? 2 * (ranks - 1) / ranks : 1
  low = bytes(min); high = bytes(max)
  if (factor <= 1) step = "1048576(bytes)"; else step = factor "(factor)"
  print "# nccl-tests version 2.19.6 nccl-headers=22805 nccl-library=22805"
  print "# Collective test starting: all_reduce_perf"
  printf "# nThread 1 nGpus %d minBytes %.0f maxBytes %.0f step: %s warmup iters: %d iters: %d agg iters: 1 validation: %d graph: 0 unalign: 0\n#\n# Using devices\n", ngpus, low, high, step, warmup, iters, check
  rank = 0
  for (h = 1; h <= n; h++) for (d = 0; d < each; d++) {
    printf "#  Rank %2d Group  0 Pid %6d on %10s device %2d [0000:%s:00] %s\n", rank, 41207 + h * 311 + d, host[h], d, tolower(substr("1B4352619DC3D1DF", d * 2 + 1, 2)), model
    rank++
  }
  print "#"
  print "#                                                              out-of-place                       in-place          "
  print "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong "
  print "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)         "
  total = 0
  for (size = low; size <= high; size = factor > 1 ? size * factor : size + 1048576) {
    last = (factor > 1 ? size * factor : size + 1048576) > high
    bad = last ? wrong : 0
    total += bad
    printf "%12.0f  %12.0f  %8s  %6s  %6s%s  %6s%s  %6s\n", size, size / 4, "float", "sum", "-1", half(size, "out"), check ? 0 : "N/A", half(size, "in"), check ? bad : "N/A"
    if (rows > 400) break
  }
  if (!check) total = 0
  printf "# Out of bounds values : %d %s\n", total, total ? "FAILED" : "OK"
  printf "# Avg bus bandwidth    : %g \n#\n# Collective test concluded: all_reduce_perf\n#\n", rows ? sum / rows : 0
  exit total ? wrongexit : 0
}

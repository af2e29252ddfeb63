function bus(i) { return "00000000:" substr("1B4352619DC3D1DF", i * 2 + 1, 2) ":00.0" }
function shown(i) { return only == "" || only == i || only == uuid[i + 1] || index("," only ",", "," i ",") > 0 }
function temperature(i) { return 36 + i % 5 }
function value(name, i) {
  if (name == "index") return i
  if (name == "driver_version") return driver
  if (name == "name" || name == "gpu_name") return model
  if (name == "uuid" || name == "gpu_uuid") return uuid[i + 1]
  if (name == "timestamp") return stamp
  if (name == "count") return gpus
  if (name == "pci.bus_id" || name == "gpu_bus_id") return bus(i)
  if (name == "serial" || name == "gpu_serial") return "16540230000" (11 + i)
  if (name == "temperature.gpu") return temperature(i)
  if (name == "utilization.gpu") return "0" unit(" %")
  if (name == "memory.used") return "3" unit(" MiB")
  if (name == "memory.total") return "81559" unit(" MiB")
  if (name == "power.draw") return "71.22" unit(" W")
  if (name ~ /^ecc\.errors\./) return "0"
  if (name == "ecc.mode.current" || name == "persistence_mode") return "Enabled"
  if (name == "pcie.link.width.current" || name == "pcie.link.width.max") return "16"
  if (name == "pcie.link.gen.current" || name == "pcie.link.gen.max") return "5"
  if (name ~ /^remapped_rows\.(pending|failure)$/) return "No"
  if (name ~ /^remapped_rows\./) return "0"
  return ""
}
function unit(text) { return nounits ? "" : text }
function header(name) {
  if (nounits) return name
  if (name == "utilization.gpu") return name " [%]"
  if (name ~ /^memory\./) return name " [MiB]"
  if (name == "power.draw") return name " [W]"
  return name
}
function tag(depth, name, text) { printf "%s<%s>%s</%s>\n", substr("\t\t\t\t\t", 1, depth), name, text, name }
BEGIN {
  split(uuids, uuid, " ")
  nounits = format ~ /nounits/
  if (mode == "csv") {
    n = split(query, field, ",")
    for (f = 1; f <= n; f++) {
      gsub(/ /, "", field[f])
      if (value(field[f], 0) == "") { printf "Field \"%s\" is not a valid field to query.\n", field[f]; exit 2 }
    }
    if (format !~ /noheader/) for (f = 1; f <= n; f++) printf "%s%s", header(field[f]), f < n ? ", " : "\n"
    for (i = 0; i < gpus; i++) if (shown(i)) for (f = 1; f <= n; f++) printf "%s%s", value(field[f], i), f < n ? ", " : "\n"
    exit 0
  }
  if (mode == "list") {
    for (i = 0; i < gpus; i++) printf "GPU %d: %s (UUID: %s)\n", i, model, uuid[i + 1]
    exit 0
  }
  if (mode != "xml") {
    printf "%s\nDriver Version                            : %s\nAttached GPUs                             : %d\n", "==============NVSMI LOG==============\n\nTimestamp                                 : " stamp, driver, gpus
    exit 0
  }
  print "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n<nvidia_smi_log>"
  tag(1, "timestamp", stamp); tag(1, "driver_version", driver); tag(1, "cuda_version", "12.8"); tag(1, "attached_gpus", gpus)
  for (i = 0; i < gpus; i++) {
    printf "\t<gpu id=\"%s\">\n", bus(i)
    tag(2, "product_name", model); tag(2, "persistence_mode", "Enabled"); tag(2, "serial", "16540230000" (11 + i)); tag(2, "uuid", uuid[i + 1]); tag(2, "minor_number", i)
    print "\t\t<pci>"; tag(3, "pci_bus_id", bus(i)); print "\t\t\t<pci_gpu_link_info>\n\t\t\t\t<link_widths>"
    tag(5, "max_link_width", "16x"); tag(5, "current_link_width", "16x"); print "\t\t\t\t</link_widths>\n\t\t\t</pci_gpu_link_info>\n\t\t</pci>"
    print "\t\t<fb_memory_usage>"; tag(3, "total", "81559 MiB"); tag(3, "used", "3 MiB"); print "\t\t</fb_memory_usage>"
    print "\t\t<utilization>"; tag(3, "gpu_util", "0 %"); print "\t\t</utilization>"
    print "\t\t<ecc_errors>\n\t\t\t<volatile>"; tag(4, "sram_uncorrectable", 0); tag(4, "dram_uncorrectable", 0); print "\t\t\t</volatile>\n\t\t\t<aggregate>"
    tag(4, "sram_uncorrectable", 0); tag(4, "dram_uncorrectable", 0); print "\t\t\t</aggregate>\n\t\t</ecc_errors>"
    print "\t\t<remapped_rows>"; tag(3, "remapped_row_corr", 0); tag(3, "remapped_row_unc", 0); tag(3, "remapped_row_pending", "No"); tag(3, "remapped_row_failure", "No"); print "\t\t</remapped_rows>"
    print "\t\t<temperature>"; tag(3, "gpu_temp", temperature(i) " C"); print "\t\t</temperature>"
    print "\t\t<gpu_power_readings>"; tag(3, "instant_power_draw", "71.22 W"); print "\t\t</gpu_power_readings>"
    print "\t</gpu>"
  }
  print "</nvidia_smi_log>"
}

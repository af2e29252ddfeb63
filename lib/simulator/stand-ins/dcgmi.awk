function pad(n) { return substr("\t\t\t\t\t\t\t\t\t\t\t\t", 1, n) }
function test(name, last,   i, status, failed) {
  printf "%s{\n%s\"name\" : \"%s\",\n%s\"results\" : [\n", pad(5), pad(6), name, pad(6)
  failed = 0
  for (i = 0; i < gpus; i++) {
    status = (bad != "" && i == bad + 0 && name == "memory") ? "Fail" : "Pass"
    if (status == "Fail") failed = 1
    printf "%s{\n%s\"entity_group\" : \"GPU\",\n%s\"entity_group_id\" : 1,\n%s\"entity_id\" : %d,\n", pad(7), pad(8), pad(8), pad(8), i
    if (name == "memory") printf "%s\"info\" : [\n%s\"Allocated 79612 MB\"\n%s],\n", pad(8), pad(9), pad(8)
    printf "%s\"status\" : \"%s\"", pad(8), status
    if (status == "Fail") printf ",\n%s\"warnings\" : [\n%s{\n%s\"error_category\" : 10,\n%s\"error_id\" : 58,\n%s\"error_severity\" : 2,\n%s\"warning\" : \"A memory mismatch was detected on GPU %d.\"\n%s}\n%s]", pad(8), pad(9), pad(10), pad(10), pad(10), pad(10), i, pad(9), pad(8)
    printf "\n%s}%s\n", pad(7), i < gpus - 1 ? "," : ""
  }
  printf "%s],\n%s\"test_summary\" : {\n%s\"status\" : \"%s\"\n%s}\n%s}%s\n", pad(6), pad(6), pad(7), failed ? "Fail" : "Pass", pad(6), pad(5), last ? "" : ","
  if (failed) worst = 1
}
function category(name, tests, last,   n, t, list) {
  printf "%s{\n%s\"category\" : \"%s\",\n%s\"tests\" : [\n", pad(3), pad(4), name, pad(4)
  n = split(tests, list, " ")
  for (t = 1; t <= n; t++) test(list[t], t == n)
  printf "%s]\n%s}%s\n", pad(4), pad(3), last ? "" : ","
}
BEGIN {
  worst = 0
  if (json == "") {
    print "Successfully ran diagnostic for group."
    print "+---------------------------+------------------------------------------------+"
    print "| Diagnostic                | Result                                         |"
    print "+===========================+================================================+"
    print "|-----  Deployment  --------+------------------------------------------------|"
    print "| software                  | Pass                                           |"
    for (i = 0; i < gpus; i++) printf "|                           | GPU%d: Pass                                     |\n", i
    print "+---------------------------+------------------------------------------------+"
    exit bad == "" ? 0 : 226
  }
  print "{\n\t\"DCGM Diagnostic\" : {\n\t\t\"test_categories\" : ["
  category("Deployment", "software", level < 2)
  if (level >= 2) {
    category("Integration", "pcie", 0)
    category("Hardware", level >= 3 ? "memory diagnostic" : "memory", 1)
  }
  print "\t\t]\n\t},\n\t\"entity_groups\" : [\n\t\t{\n\t\t\t\"entity_group\" : \"GPU\",\n\t\t\t\"entity_group_id\" : 1,\n\t\t\t\"entities\" : ["
  for (i = 0; i < gpus; i++) printf "\t\t\t\t{\n\t\t\t\t\t\"device_id\" : \"2330\",\n\t\t\t\t\t\"entity_id\" : %d,\n\t\t\t\t\t\"serial_num\" : \"16540230000%d\"\n\t\t\t\t}%s\n", i, 11 + i, i < gpus - 1 ? "," : ""
  print "\t\t\t]\n\t\t},\n\t\t{\n\t\t\t\"entity_group\" : \"CPU\",\n\t\t\t\"entity_group_id\" : 7,\n\t\t\t\"entities\" : []\n\t\t}\n\t],"
  printf "\t\"metadata\" : {\n\t\t\"Driver Version Detected\" : \"%s\",\n\t\t\"version\" : \"4.4.1\"\n\t}\n}\n", driver
  exit worst ? 226 : 0
}

# Runs a job and reports to its check on peal: the start, the exit code and the end of its output. For machines without the
# binary (docs/check-ins.md). Works in PowerShell 5.1 and later; its exit code is the job's.
#   powershell -File run.ps1 -Check <ping url> [-Wait <seconds>] <command> <arguments...>
$check = ''; $wait = 300; $words = @($args) # with `param`, PowerShell would take the job's `-v` for its own `-Verbose`
while ($words.Count -gt 1 -and '-Check', '-Wait' -contains $words[0]) {
  if ($words[0] -eq '-Check') { $check = $words[1] } else { $wait = $words[1] }
  $words = @($words | Select-Object -Skip 2)
}
if (-not $check -or "$wait" -notmatch '^\d+$' -or $words.Count -eq 0) {
  [Console]::Error.WriteLine('run.ps1: usage: run.ps1 -Check <ping url> [-Wait <seconds>] <command> <arguments...>'); exit 64
}
try { [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072 } catch { } # TLS 1.2
if ($check -notmatch '^https?://') { $check = "$($env:PEAL_URL)/v1/ping/$check" }
$base, $query = $check.Split([char[]]'?', 2); $state = [hashtable]::Synchronized(@{ Ended = $false })
$rid = [guid]::NewGuid(); $urlOf = { "$($base.TrimEnd('/'))/$($args[0])?rid=$rid$(if ($query) { "&$query" })" }
# tries until the check has it or the time is over; returns why it has not. It also runs on its own, beside the job
$tell = {
  param($url, $body, $until, $state)
  $ProgressPreference = 'SilentlyContinue'
  while ($true) {
    try { $null = Invoke-WebRequest $url -UseBasicParsing -Method Post -Body $body -TimeoutSec 10; return '' }
    catch { $why = $_.Exception.Message }
    if ($state.Ended -or [DateTime]::UtcNow -ge $until) { return $why }
    Start-Sleep -Seconds 1
  }
}
$start = [PowerShell]::Create().AddScript($tell.ToString()).AddArgument((& $urlOf 'start')).AddArgument([byte[]]@())
$started = $start.AddArgument([DateTime]::MaxValue).AddArgument($state).BeginInvoke()
$program, $line, $why, $looks, $last = $words[0], '', '', 0, (New-Object IO.MemoryStream)
foreach ($word in @($words | Select-Object -Skip 1)) { # quoted as programs of Windows take their command line apart
  if ("$word" -match '^$|[\s"]') { $word = '"' + ("$word" -replace '(\\*)"', '$1$1\"' -replace '(\\+)$', '$1$1') + '"' }
  $line += if ($line -match '(^|\s)-\S*:$') { "$word" } else { " $word" } # PowerShell has cut `-o:dir` in two
}
$found = @(Get-Command $program -CommandType Application -ErrorAction SilentlyContinue)[0]; if ($found) { $program = $found.Path }
try {
  $job = New-Object Diagnostics.ProcessStartInfo -ArgumentList $program, $line.Trim()
  $job.UseShellExecute = $false; $job.RedirectStandardOutput = $true; $job.RedirectStandardError = $true
  $process = [Diagnostics.Process]::Start($job)
  [Collections.ArrayList]$ends = @('Output', 'Error' | ForEach-Object {
    @{ From = $process."Standard$_".BaseStream; To = [Console]::"OpenStandard$_"(); Bytes = New-Object byte[] 65536 } })
  while ($ends.Count -gt 0 -and $looks -lt 10) { # what the job left behind may hold its output open for ever
    foreach ($end in $ends) { if (-not $end.Read) { $end.Read = $end.From.ReadAsync($end.Bytes, 0, 65536) } }
    $at = [Threading.Tasks.Task]::WaitAny([Threading.Tasks.Task[]]@($ends | ForEach-Object { $_.Read }), 200)
    if ($at -lt 0) { if ($process.HasExited) { $looks++ }; continue }
    $end = $ends[$at]; $count = $end.Read.Result; $end.Read = $null
    if ($count -eq 0) { $ends.RemoveAt($at); continue }
    try { $end.To.Write($end.Bytes, 0, $count); $end.To.Flush() } catch { } # nobody reads it any more
    $last.Write($end.Bytes, 0, $count); $all = $last.ToArray()
    if ($all.Length -gt 8192) { $last.SetLength(0); $last.Write($all, $all.Length - 8192, 8192) }
  }
  $process.WaitForExit(); $code = $process.ExitCode
} catch {
  $code = if ($found) { 126 } else { 127 }; $why = "run.ps1: ${program}: $($_.Exception.Message)"; [Console]::Error.WriteLine($why)
}
$state.Ended = $true; $null = $start.EndInvoke($started) # the end comes after it, or the server would see no run
$told = if ($code -in 0..255) { $code } else { 255 } # codes of Windows are 32 bits wide, those of a check 8
$body = [Text.Encoding]::UTF8.GetBytes([Console]::OutputEncoding.GetString($last.ToArray()) + $why)
$why = & $tell (& $urlOf $told) $body ([DateTime]::UtcNow.AddSeconds([int]$wait)) @{ Ended = $false }
if ($why) { [Console]::Error.WriteLine("run.ps1: could not report to the check that the job ended with ${code}: $why") }
exit $code

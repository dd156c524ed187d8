# Runs a job and reports to its check on peal: the start, the exit code and the end of its output. For machines without the
# binary (docs/check-ins.md). Works in PowerShell 5.1 and later; its exit code is the job's.
#   powershell -File run.ps1 -Check <ping url> [-Wait <seconds>] <command> <arguments...>
param(
  [Parameter(Mandatory = $true)][string]$Check,
  [int]$Wait = 300,
  [Parameter(Mandatory = $true, ValueFromRemainingArguments = $true)][string[]]$Command
)
$ErrorActionPreference = 'Continue' # 5.1 makes an error record of each line on standard error
try { [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072 } catch { } # TLS 1.2

if ($Check -notmatch '^https?://') { $Check = "$($env:PEAL_URL)/v1/ping/$Check" }
$base, $query = $Check.Split([char[]]'?', 2)
$base = $base.TrimEnd('/')
$rid = [guid]::NewGuid().ToString()
if ($query) { $query = "rid=$rid&$query" } else { $query = "rid=$rid" }

# Tries until the check has it or the time is over; returns why it has not. It also runs on its own, beside the job.
$tell = {
  param($url, $body, $until, $state)
  while ($true) {
    try {
      $null = Invoke-WebRequest -UseBasicParsing -Method Post -TimeoutSec 10 -Uri $url -Body $body -ContentType 'text/plain'
      return ''
    } catch { $why = $_.Exception.Message }
    if ($state.Ended -or [DateTime]::UtcNow -ge $until) { return $why }
    Start-Sleep -Seconds 1
  }
}
$state = [hashtable]::Synchronized(@{ Ended = $false })
$starting = [PowerShell]::Create()
$null = $starting.AddScript('$ProgressPreference = "SilentlyContinue"' + "`n" + $tell.ToString())
$null = $starting.AddArgument("$base/start?$query").AddArgument([byte[]]@()).AddArgument([DateTime]::MaxValue).AddArgument($state)
$started = $starting.BeginInvoke()

$last = New-Object 'System.Collections.Generic.Queue[string]'
$program = $Command[0]
$arguments = @($Command | Select-Object -Skip 1)
$global:LASTEXITCODE = 0
try {
  & $program @arguments 2>&1 | ForEach-Object {
    $line = "$_"
    if ($_ -is [System.Management.Automation.ErrorRecord]) { [Console]::Error.WriteLine($line) } else { [Console]::Out.WriteLine($line) }
    $last.Enqueue($line)
    if ($last.Count -gt 500) { $null = $last.Dequeue() }
  }
  $code = $LASTEXITCODE
} catch [System.Management.Automation.CommandNotFoundException] {
  $code = 127
  $last.Enqueue("${program}: not found")
  [Console]::Error.WriteLine("run.ps1: ${program}: not found")
} catch {
  $code = 126
  $last.Enqueue($_.Exception.Message)
  [Console]::Error.WriteLine("run.ps1: $($_.Exception.Message)")
}

$state.Ended = $true
$null = $starting.EndInvoke($started) # the end comes after it, or the server would see no run
$bytes = [Text.Encoding]::UTF8.GetBytes(($last.ToArray() -join "`n") + "`n")
if ($bytes.Length -gt 8192) { $bytes = [byte[]]($bytes[($bytes.Length - 8192)..($bytes.Length - 1)]) }
# a check knows 0 to 255; codes of Windows are 32 bits wide, and the low byte of a failure may be 0
$told = $code
if ($code -lt 0 -or $code -gt 255) { $told = 255 }
$ProgressPreference = 'SilentlyContinue'
$why = & $tell "$base/$told`?$query" $bytes ([DateTime]::UtcNow.AddSeconds($Wait)) @{ Ended = $false }
if ($why) { [Console]::Error.WriteLine("run.ps1: could not report to the check that the job ended with ${code}: $why") }
exit $code

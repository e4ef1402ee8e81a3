-- Replays prepared requests with wrk. Each connection waits for its answer before it sends the next:
--   wrk -t1 -c CONNECTIONS -d SECONDS+2 --timeout 10s -s replay.lua URL FILE SECONDS
-- FILE has a request per line: method, path, request id, body, separated by tabs. At its end the replay starts again.
-- Nothing is sent after SECONDS, so that each sent request is answered and can be looked for in the database.
local ffi = require("ffi")
ffi.cdef [[
  struct moment { long seconds; long microseconds; };
  int gettimeofday(struct moment *moment, void *zone);
]]

local requests = {}
local next_request = 0
local rounds = 0
local seconds
local stops_at
local moment = ffi.new("struct moment")

local function now()
  ffi.C.gettimeofday(moment, nil)
  return tonumber(moment.seconds) + tonumber(moment.microseconds) / 1e6
end

function init(arguments)
  seconds = tonumber(arguments[2])
  for line in io.lines(arguments[1]) do
    local method, path, id, body = line:match("^(%S+)\t(%S+)\t(%S*)\t(.*)$")
    local headers = {}
    if id ~= "" then headers["X-Request-Id"] = id end
    if body ~= "" then headers["Content-Type"] = "application/json" end
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
end

function request()
  -- wrk calls this once before it starts, and does not send the result.
  if not stops_at then return requests[1] end
  if next_request == #requests then
    next_request = 0
    rounds = rounds + 1
  end
  next_request = next_request + 1
  return requests[next_request]
end

function delay()
  local at = now()
  stops_at = stops_at or at + seconds
  if at < stops_at then return 0 end
  repeated = rounds > 0
  return 3600 * 1000
end

local threads = {}
function setup(thread) threads[#threads + 1] = thread end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(string.format('{"answered":%d,"failed":%d,"isRepeated":%s,"p50Ms":%.3f,"p99Ms":%.3f}\n', summary.requests, failed,
    tostring(threads[1]:get("repeated") == true), latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end

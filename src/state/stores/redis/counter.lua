-- A budget counter that several meters share. Each run is one atomic operation on one counter.
--
-- KEYS: the counter (a hash), its holders (a sorted set; score: the end of the lease), and all counters of the fleet (a
-- sorted set; score: the expiry). The hash has key, per, action, limit, window, spent, held, born, reset and, for each
-- meter, a field "h:HOLDER": "held pledged seq is_ended". "born" is when the counter was created, in microseconds. It
-- survives new windows and resets. If a meter knows another "born", Redis has lost the counter that the meter knew. The
-- loss matters only if that counter was created after "reset", the time of the last reset.
local counter, holders, index = KEYS[1], KEYS[2], KEYS[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local largest_integer = 9007199254740991
local hour, day = 3600000, 86400000

-- Lua itself writes 1e+15 and -0, which Redis does not read as integers.
local function format_integer(number)
  if number == 0 then return '0' end
  return string.format('%.0f', number)
end

-- Nil unless a meter can have written the value.
local function parse_whole(value)
  local number = tonumber(value)
  if number and number >= 0 and number <= largest_integer and number % 1 == 0 then return number end
end

-- Months since the year 0, computed from the days since 1 March 0000.
local function count_months(ms)
  local days = math.floor(ms / day) + 719468
  local era = math.floor(days / 146097)
  local day_of_era = days - era * 146097
  local year = math.floor((day_of_era - math.floor(day_of_era / 1460) + math.floor(day_of_era / 36524)
    - math.floor(day_of_era / 146096)) / 365)
  local day_of_year = day_of_era - (365 * year + math.floor(year / 4) - math.floor(year / 100))
  local from_march = math.floor((5 * day_of_year + 2) / 153)
  return (year + era * 400) * 12 + from_march + 2
end

local period_ms = { minute = 60000, hour = hour, day = day }

-- The same windows as `computeWindow` in src/meter/budgets/windows.ts.
local function find_window(per, ms)
  if per == 'month' then return count_months(ms) end
  if per == 'week' then return math.floor((ms - 4 * day) / (7 * day)) end
  if per == 'session' then return 0 end
  return math.floor(ms / period_ms[per])
end

local function read_share(holder)
  local row = redis.call('HGET', counter, 'h:' .. holder)
  if not row then return nil end
  local held, pledged, seq, is_ended = string.match(row, '^(%d+) (%d+) (%d+) (%d)$')
  if not (parse_whole(held) and parse_whole(pledged) and parse_whole(seq)) then return nil end
  return { held = parse_whole(held), pledged = parse_whole(pledged), seq = parse_whole(seq), is_ended = is_ended == '1' }
end

local function write_share(holder, share, ends)
  local row = format_integer(share.held) .. ' ' .. format_integer(share.pledged) .. ' ' .. format_integer(share.seq) .. ' ' .. (share.is_ended and '1' or '0')
  redis.call('HSET', counter, 'h:' .. holder, row)
  redis.call('ZADD', holders, format_integer(ends), holder)
end

local function forget(holder)
  redis.call('HDEL', counter, 'h:' .. holder)
  redis.call('ZREM', holders, holder)
end

-- A damaged counter counts as lost: it is created again, and the meters that knew it report what was spent.
local fields = redis.call('HMGET', counter, 'window', 'spent', 'held')
if fields[1] and not (parse_whole(fields[1]) and parse_whole(fields[2]) and parse_whole(fields[3])) then
  redis.call('DEL', counter, holders)
  fields = {}
end

-- First frees the holds of ended leases. Their pledges count as spent, because calls may already have spent them. Keeps
-- the `seq` of the last change under each lease, so that a late repetition of the change is not counted twice.
local function read_amounts(ended_share_ms)
  if not fields[1] then return nil end
  local amounts = { window = parse_whole(fields[1]), spent = parse_whole(fields[2]), held = parse_whole(fields[3]) }
  for _, holder in ipairs(redis.call('ZRANGEBYSCORE', holders, '-inf', format_integer(now), 'LIMIT', '0', '1000')) do
    local share = read_share(holder)
    if not share or share.is_ended then
      forget(holder)
    else
      amounts.spent = math.min(largest_integer, amounts.spent + share.pledged)
      amounts.held = math.max(0, amounts.held - share.held)
      write_share(holder, { held = 0, pledged = 0, seq = share.seq, is_ended = true }, now + ended_share_ms)
    end
  end
  redis.call('HSET', counter, 'spent', format_integer(amounts.spent), 'held', format_integer(amounts.held))
  return amounts
end

local micros = time[1] * 1000000 + time[2]
local born = parse_whole(redis.call('HGET', counter, 'born')) or micros
local reset = parse_whole(redis.call('HGET', counter, 'reset')) or 0

if ARGV[1] == 'reset' then
  redis.call('DEL', counter, holders)
  redis.call('ZREM', index, counter)
  redis.call('HSET', counter, 'born', format_integer(born), 'reset', format_integer(micros))
  redis.call('PEXPIRE', counter, ARGV[2])
  return 1
end

if ARGV[1] == 'read' then
  if not read_amounts(tonumber(ARGV[2])) then return {} end
  return redis.call('HMGET', counter, 'key', 'per', 'action', 'limit', 'window', 'spent', 'held')
end

local key, per, limit = ARGV[2], ARGV[3], tonumber(ARGV[4])
local lease, ended_share_ms, ttl = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local holder, seq, meter_window = ARGV[8], tonumber(ARGV[9]), tonumber(ARGV[10])
local open, unwritten, growth = tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13])
local pledge, known, last_known, known_born = tonumber(ARGV[14]), tonumber(ARGV[15]), tonumber(ARGV[16]), tonumber(ARGV[17])
local action = ARGV[18]

local stored = read_amounts(ended_share_ms)
local window = find_window(per, now)
local spent, held = 0, 0
-- Reading alone does not start a window.
if growth < 0 and (not stored or stored.window < window) then return { window, 0, 0, 0, 0, now, 0, 0 } end
growth = math.max(0, growth)
local is_same_window = meter_window == window
if stored and stored.window < window then
  redis.call('DEL', counter, holders)
elseif stored then
  spent, held = stored.spent, stored.held
  is_same_window = meter_window == stored.window or is_same_window
  -- If the clock is set back, the stored window stays current. A window far in the future does not: a wrong clock began it.
  if stored.window <= find_window(per, now + hour) + 1 then window = stored.window end
end
if not is_same_window then open, unwritten, known, last_known = 0, 0, 0, 0 end
-- If the meter knew a counter with another "born", Redis has lost what was spent.
local is_lost = known_born > reset and known_born ~= born and last_known > spent
if is_lost then known = math.max(known, last_known) end

local share = read_share(holder) or { held = 0, pledged = 0, seq = -1 }
if share.seq < seq then
  spent = math.min(largest_integer, math.max(0, math.max(spent, known) + unwritten))
  local held_by_others = math.max(0, held - share.held)
  local credit = math.max(0, math.min(growth, limit - spent - held_by_others - open))
  share = { held = open + credit, pledged = math.min(open + credit, pledge), seq = seq }
  held = math.min(largest_integer, held_by_others + share.held)
end
if not stored then redis.call('ZREMRANGEBYSCORE', index, '-inf', format_integer(now)) end
redis.call('HSET', counter, 'key', key, 'per', per, 'action', action, 'limit', format_integer(limit), 'window', format_integer(window), 'spent', format_integer(spent),
  'held', format_integer(held), 'born', format_integer(born), 'reset', format_integer(reset))
if share.is_ended then
  write_share(holder, share, now + ended_share_ms)
else
  write_share(holder, share, now + lease)
end
if ARGV[1] == 'leave' then forget(holder) end
redis.call('PEXPIRE', counter, format_integer(ttl))
redis.call('PEXPIRE', holders, format_integer(ttl))
redis.call('ZADD', index, format_integer(now + ttl), counter)
-- Outlives its counters.
redis.call('PEXPIRE', index, format_integer(ttl + day))
return { window, spent, held, share.held, share.pledged, now, born, is_lost and 1 or 0 }

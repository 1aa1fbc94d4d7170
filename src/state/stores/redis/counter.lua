-- A budget counter that meters share. Each run is one atomic operation on one counter.
--
-- KEYS: the counter, a hash; its holders by the end of their leases, a sorted set; all counters of the fleet by their expiry,
-- a sorted set. All three have one hash tag, so that a cluster keeps them on one node.
-- The hash has key, per, action, limit, window, spent, held, born, reset and a field "h:HOLDER" for each meter: "held pledged seq is_ended".
-- "born" is when the counter was created, in microseconds. It survives new windows and resets: to a meter that knows another
-- value, the counter was lost. "reset" is the time of the last reset: the loss of a counter born before it does not matter.
local counter, holders, index = KEYS[1], KEYS[2], KEYS[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local largest = 9007199254740991
local hour, day = 3600000, 86400000

-- Lua itself writes 1e+15 and -0, which Redis does not read as integers.
local function text(number)
  if number == 0 then return '0' end
  return string.format('%.0f', number)
end

-- Nil unless a meter can have written the value.
local function whole(value)
  local number = tonumber(value)
  if number and number >= 0 and number <= largest and number % 1 == 0 then return number end
end

-- Months since the year 0, from the day's distance to 1 March 0000.
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

local lengths = { minute = 60000, hour = hour, day = day }

local function find_window(per, ms)
  if per == 'month' then return count_months(ms) end
  if per == 'week' then return math.floor((ms - 4 * day) / (7 * day)) end
  if per == 'session' then return 0 end
  return math.floor(ms / lengths[per])
end

local function read_share(holder)
  local row = redis.call('HGET', counter, 'h:' .. holder)
  if not row then return nil end
  local held, pledged, seq, is_ended = string.match(row, '^(%d+) (%d+) (%d+) (%d)$')
  if not (whole(held) and whole(pledged) and whole(seq)) then return nil end
  return { held = whole(held), pledged = whole(pledged), seq = whole(seq), is_ended = is_ended == '1' }
end

local function keep(holder, share, ends)
  local row = text(share.held) .. ' ' .. text(share.pledged) .. ' ' .. text(share.seq) .. ' ' .. (share.is_ended and '1' or '0')
  redis.call('HSET', counter, 'h:' .. holder, row)
  redis.call('ZADD', holders, text(ends), holder)
end

local function forget(holder)
  redis.call('HDEL', counter, 'h:' .. holder)
  redis.call('ZREM', holders, holder)
end

-- A damaged counter counts as lost: it is created again, and the meters that knew it report what was spent.
local parts = redis.call('HMGET', counter, 'window', 'spent', 'held')
if parts[1] and not (whole(parts[1]) and whole(parts[2]) and whole(parts[3])) then
  redis.call('DEL', counter, holders)
  parts = {}
end

-- First frees the holds of ended leases, except their pledges, which may have been delivered. Keeps the number of their
-- last change, so that a late repetition is not counted twice.
local function read_amounts(kept_ms)
  if not parts[1] then return nil end
  local amounts = { window = whole(parts[1]), spent = whole(parts[2]), held = whole(parts[3]) }
  for _, holder in ipairs(redis.call('ZRANGEBYSCORE', holders, '-inf', text(now), 'LIMIT', '0', '1000')) do
    local share = read_share(holder)
    if not share or share.is_ended then
      forget(holder)
    else
      amounts.spent = math.min(largest, amounts.spent + share.pledged)
      amounts.held = math.max(0, amounts.held - share.held)
      keep(holder, { held = 0, pledged = 0, seq = share.seq, is_ended = true }, now + kept_ms)
    end
  end
  redis.call('HSET', counter, 'spent', text(amounts.spent), 'held', text(amounts.held))
  return amounts
end

local micros = time[1] * 1000000 + time[2]
local born = whole(redis.call('HGET', counter, 'born')) or micros
local reset = whole(redis.call('HGET', counter, 'reset')) or 0

if ARGV[1] == 'reset' then
  redis.call('DEL', counter, holders)
  redis.call('ZREM', index, counter)
  redis.call('HSET', counter, 'born', text(born), 'reset', text(micros))
  redis.call('PEXPIRE', counter, ARGV[2])
  return 1
end

if ARGV[1] == 'read' then
  if not read_amounts(tonumber(ARGV[2])) then return {} end
  return redis.call('HMGET', counter, 'key', 'per', 'action', 'limit', 'window', 'spent', 'held')
end

local key, per, limit = ARGV[2], ARGV[3], tonumber(ARGV[4])
local lease, kept_ms, ttl = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local holder, seq, meter_window = ARGV[8], tonumber(ARGV[9]), tonumber(ARGV[10])
local open, unwritten, growth = tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13])
local pledge, known, last_known, known_born = tonumber(ARGV[14]), tonumber(ARGV[15]), tonumber(ARGV[16]), tonumber(ARGV[17])
local action = ARGV[18]

local stored = read_amounts(kept_ms)
local window = find_window(per, now)
local spent, held = 0, 0
-- Reading alone starts no window.
if growth < 0 and (not stored or stored.window < window) then return { window, 0, 0, 0, 0, now, 0, 0 } end
growth = math.max(0, growth)
local is_same = meter_window == window
if stored and stored.window < window then
  redis.call('DEL', counter, holders)
elseif stored then
  spent, held = stored.spent, stored.held
  is_same = meter_window == stored.window or is_same
  -- A window that has begun stays current if the clock is set back, unless it is so far ahead that a wrong clock began it.
  if stored.window <= find_window(per, now + hour) + 1 then window = stored.window end
end
if not is_same then open, unwritten, known, last_known = 0, 0, 0, 0 end
-- If the meter knew a counter with another birth, Redis has lost what was spent.
local is_lost = known_born > reset and known_born ~= born and last_known > spent
if is_lost then known = math.max(known, last_known) end

local share = read_share(holder) or { held = 0, pledged = 0, seq = -1 }
if share.seq < seq then
  spent = math.min(largest, math.max(0, math.max(spent, known) + unwritten))
  local others = math.max(0, held - share.held)
  local credit = math.max(0, math.min(growth, limit - spent - others - open))
  share = { held = open + credit, pledged = math.min(open + credit, pledge), seq = seq }
  held = math.min(largest, others + share.held)
end
if not stored then redis.call('ZREMRANGEBYSCORE', index, '-inf', text(now)) end
redis.call('HSET', counter, 'key', key, 'per', per, 'action', action, 'limit', text(limit), 'window', text(window), 'spent', text(spent),
  'held', text(held), 'born', text(born), 'reset', text(reset))
if share.is_ended then
  keep(holder, share, now + kept_ms)
else
  keep(holder, share, now + lease)
end
if ARGV[1] == 'leave' then forget(holder) end
redis.call('PEXPIRE', counter, text(ttl))
redis.call('PEXPIRE', holders, text(ttl))
redis.call('ZADD', index, text(now + ttl), counter)
redis.call('PEXPIRE', index, text(41 * day))
return { window, spent, held, share.held, share.pledged, now, born, is_lost and 1 or 0 }

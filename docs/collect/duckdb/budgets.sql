-- Budgets that calls did not fit, by machine
SELECT
  sessions.machine,
  records.server,
  json ->> '$.budget' AS budget,
  count(*) AS breaches,
  count(*) FILTER ((json ->> '$.is_enforced') = 'true') AS enforced
FROM records
LEFT JOIN sessions USING (session_id)
WHERE type = 'breach'
GROUP BY ALL
ORDER BY breaches DESC, machine, server, budget;

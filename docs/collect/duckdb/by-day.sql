-- Tokens by day, in UTC
SELECT
  estimator,
  day,
  count(DISTINCT session_id) AS sessions,
  count(*) AS calls,
  count(*) FILTER (outcome IN ('tool_error', 'rpc_error')) AS errors,
  count(*) FILTER (outcome = 'refused') AS refused,
  CAST(sum(input_tokens) AS BIGINT) AS input_tokens,
  CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
  CAST(sum(input_tokens + output_tokens) AS BIGINT) AS total_tokens
FROM calls
GROUP BY ALL
ORDER BY day, estimator;

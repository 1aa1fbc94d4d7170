-- Definitions by server: lists of tools, and their tokens that were in contexts from the start
WITH newest AS (
  SELECT
    session_id,
    server,
    CAST(json ->> '$.total_tokens' AS BIGINT) AS listed_tokens,
    CAST(json ->> '$.resident_tokens' AS BIGINT) AS resident_tokens
  FROM records
  WHERE type = 'definitions'
  QUALIFY row_number() OVER (
    PARTITION BY session_id, server
    ORDER BY CAST(json ->> '$.tools_total' AS BIGINT) > 0 DESC, seq DESC
  ) = 1
)
SELECT
  estimator,
  server,
  count(*) AS definition_lists,
  CAST(sum(listed_tokens) AS BIGINT) AS listed_tokens,
  CAST(sum(resident_tokens) AS BIGINT) AS resident_tokens
FROM newest
LEFT JOIN sessions USING (session_id)
GROUP BY ALL
ORDER BY resident_tokens DESC, server, estimator;

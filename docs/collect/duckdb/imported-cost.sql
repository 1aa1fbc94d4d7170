-- Requests to models and their cost as the clients noted it, of imported conversations (mcp-meter import)
WITH conversations AS (
  SELECT
    json ->> '$.conversation_id' AS conversation_id,
    json ->> '$.client' AS client
  FROM records
  WHERE type = 'conversation'
  QUALIFY row_number() OVER (PARTITION BY conversation_id ORDER BY seq DESC) = 1
),
turns AS (
  SELECT
    json ->> '$.conversation_id' AS conversation_id,
    CAST(ts AS DATE) AS day,
    json ->> '$.model' AS model,
    CAST(json ->> '$.uncached_tokens' AS BIGINT) AS uncached_tokens,
    CAST(json ->> '$.cache_read_tokens' AS BIGINT) AS cache_read_tokens,
    CAST(json ->> '$.output_tokens' AS BIGINT) AS output_tokens,
    CAST(json ->> '$.native_cost_usd' AS DOUBLE) AS native_cost_usd
  FROM records
  WHERE type = 'turn'
)
SELECT
  day,
  client,
  model,
  count(*) AS requests,
  CAST(sum(uncached_tokens) AS BIGINT) AS uncached_tokens,
  CAST(sum(cache_read_tokens) AS BIGINT) AS cache_read_tokens,
  CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
  round(sum(native_cost_usd), 6) AS native_cost_usd -- null where no client noted one
FROM turns
LEFT JOIN conversations USING (conversation_id)
GROUP BY ALL
ORDER BY day, client, model;

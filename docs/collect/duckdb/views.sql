-- The records below the folder "collected", each once: files may overlap, and a file that is still written may end in half a line.
CREATE OR REPLACE VIEW records AS
SELECT DISTINCT ON (session_id, seq)
  json ->> '$.session_id' AS session_id,
  CAST(json ->> '$.seq' AS BIGINT) AS seq,
  json ->> '$.type' AS type,
  CAST(json ->> '$.ts' AS TIMESTAMP) AS ts, -- UTC
  json ->> '$.server' AS server,
  json
FROM read_ndjson_objects('collected/**/*.ndjson', ignore_errors = true, maximum_object_size = 16777216)
WHERE json ->> '$.session_id' IS NOT NULL AND (json ->> '$.schema_version') LIKE '1.%'
ORDER BY session_id, seq;

-- The newest session record of each session: who talks to whom on which machine, and how tokens were counted.
CREATE OR REPLACE VIEW sessions AS
SELECT
  session_id,
  json ->> '$.machine' AS machine,
  json ->> '$.client_name' AS client,
  json ->> '$.model' AS model,
  json ->> '$.estimator' AS estimator
FROM records
WHERE type = 'session'
QUALIFY row_number() OVER (PARTITION BY session_id ORDER BY seq DESC) = 1;

-- Calls with the facts of their sessions. Tokens of different estimators must not be added up.
CREATE OR REPLACE VIEW calls AS
SELECT
  calls.session_id,
  CAST(calls.ts AS DATE) AS day,
  calls.server,
  sessions.machine,
  sessions.client,
  sessions.estimator,
  coalesce(json ->> '$.tool', '(' || (json ->> '$.method') || ')') AS tool,
  coalesce(json ->> '$.model', sessions.model) AS model,
  json ->> '$.outcome' AS outcome,
  CAST(json ->> '$.input_tokens' AS BIGINT) AS input_tokens,
  CAST(json ->> '$.output_tokens' AS BIGINT) AS output_tokens
FROM records AS calls
LEFT JOIN sessions USING (session_id)
WHERE type = 'call';

-- Not run by any test: see docs/collect.md. For clickhouse-local 23 or later, in the folder that has "collected" in user_files.
CREATE TEMPORARY TABLE records AS
SELECT
    JSONExtractString(line, 'session_id') AS session_id,
    JSONExtractUInt(line, 'seq') AS seq,
    any(line) AS json
FROM file('collected/**/*.ndjson', 'LineAsString', 'line String')
WHERE isValidJSON(line) AND session_id != '' AND startsWith(JSONExtractString(line, 'schema_version'), '1.')
GROUP BY session_id, seq;

CREATE TEMPORARY TABLE sessions AS
SELECT
    session_id,
    argMax(JSONExtractString(json, 'machine'), seq) AS machine,
    argMax(JSONExtractString(json, 'client_name'), seq) AS client,
    argMax(JSONExtractString(json, 'estimator'), seq) AS estimator
FROM records
WHERE JSONExtractString(json, 'type') = 'session'
GROUP BY session_id;

-- Tokens by day, machine, server and tool
SELECT
    estimator,
    toDate(parseDateTimeBestEffort(JSONExtractString(json, 'ts'), 'UTC')) AS day,
    machine,
    JSONExtractString(json, 'server') AS server,
    JSONExtractString(json, 'tool') AS tool,
    count() AS calls,
    sum(JSONExtractUInt(json, 'input_tokens') + JSONExtractUInt(json, 'output_tokens')) AS total_tokens
FROM records
LEFT JOIN sessions USING (session_id)
WHERE JSONExtractString(json, 'type') = 'call'
GROUP BY estimator, day, machine, server, tool
ORDER BY day, total_tokens DESC;

/** The text form of metrics, to the letter. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { encodeMetrics } from '../../src/server/monitoring/operation-server.ts';

it('counters, gauges and histograms are written as Prometheus reads them', () => {
  const text = encodeMetrics([
    [
      {
        name: 'asked_total',
        type: 'counter',
        help: 'How\noften \\ asked.',
        labels: ['who', 'how'],
      },
      [
        { labels: ['a "friend"\n\\', 200], value: 3 },
        { labels: ['b', 404], value: 0.5 },
      ],
    ],
    [{ name: 'absent', type: 'gauge', help: 'Nothing.', labels: [] }, []],
    [{ name: 'age', type: 'gauge', help: 'Age.', labels: [] }, [{ labels: [], value: 12 }]],
    [
      { name: 'seconds', type: 'histogram', help: 'Time.', labels: ['what'] },
      [{ labels: ['read'], value: { bounds: [0.1, 1], buckets: [2, 0, 1], sum: 4.5 } }],
    ],
  ]);
  assert.equal(
    text,
    `# HELP asked_total How\\noften \\\\ asked.
# TYPE asked_total counter
asked_total{who="a \\"friend\\"\\n\\\\",how="200"} 3
asked_total{who="b",how="404"} 0.5
# HELP age Age.
# TYPE age gauge
age 12
# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{what="read",le="0.1"} 2
seconds_bucket{what="read",le="1"} 2
seconds_bucket{what="read",le="+Inf"} 3
seconds_sum{what="read"} 4.5
seconds_count{what="read"} 3
`,
  );
});

"""The style of a report's page: light and dark, narrow and wide, on paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1b1f24; --dim: #59636e; --rule: #d1d9e0; --stripe: #f6f8fa;
  --good: #1a7f37; --bad: #c62828; --warn: #9a6700; --mark: #0a5cc4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1318; --text: #e6edf3; --dim: #9aa5b1; --rule: #30363d; --stripe: #171c23;
    --good: #4ac26b; --bad: #ff7b72; --warn: #e3b341; --mark: #6cb6ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 75rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--rule); }
p { margin: .35rem 0; }
ul { margin: .35rem 0; padding-left: 1.25rem; }
figure { margin: 0 0 1.5rem; }
figcaption, caption { font-weight: 600; text-align: left; padding: .25rem 0; }
.note, footer { color: var(--dim); font-size: .875rem; }
footer { margin-top: 2rem; border-top: 1px solid var(--rule); }
.plot { display: flex; }
.plot .names { flex: none; }
.plot .area { flex: 1; min-width: 0; overflow: visible; }
svg text { fill: var(--dim); font-size: 12px; }
.grid { stroke: var(--rule); stroke-width: 1; }
.line { stroke: var(--mark); stroke-width: 1.5; opacity: .55; }
.back { stroke: var(--warn); stroke-width: 2; stroke-dasharray: 5 4; }
.stem { stroke-width: 2; }
.many .line, .many .stem { stroke-width: 1; } .many .mark { stroke: none; } .many .ring { stroke-width: 1; }
.ring { fill: none; stroke: var(--warn); stroke-width: 2; }
.mark { fill: var(--mark); stroke: var(--page); stroke-width: 1; }
.mark.good { fill: var(--good); } .mark.bad { fill: var(--bad); } .mark.warn { fill: var(--warn); }
.stem.good { stroke: var(--good); } .stem.bad { stroke: var(--bad); }
.frame { overflow-x: auto; margin-bottom: 1.25rem; }
.frame:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .875rem; min-width: 50%; }
caption { font-size: 1rem; }
th, td { padding: .3rem .75rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
th, td { white-space: nowrap; }
th { font-weight: 600; }
tbody th { font-weight: 400; }
tbody tr:nth-child(even) { background: var(--stripe); }
td.prose { min-width: 14rem; max-width: 24rem; white-space: normal; overflow-wrap: break-word; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.good, th.good { color: var(--good); } td.bad, th.bad { color: var(--bad); }
td.warn, th.warn { color: var(--warn); } td.dim, th.dim { color: var(--dim); }
@media print { .frame { overflow: visible; } body { max-width: none; } }
"""

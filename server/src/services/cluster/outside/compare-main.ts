import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { type Comparison, differs } from './compare.ts'

/** Helm hands over what it has rendered and takes back what it applies: the same, or nothing at all. */
const comparison = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Comparison
const rendered = await text(process.stdin)
const why = differs(rendered, comparison)
if (why) {
  process.stderr.write(`${why}\n`)
  process.exitCode = 1
} else process.stdout.write(rendered)

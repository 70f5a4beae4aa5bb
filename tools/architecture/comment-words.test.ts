import { expect, it } from 'vitest'
import { badOpenings } from './comment-words.ts'

it('finds comments that begin with such a word, line by line, and no strings', () => {
  const text = `/** What a thing is. */
const a = '// What is in a string' // Which one — “quoted” 🙂
const b = \`
// That is text
/* Who */\`
/**
 * The name of it. What follows in a line is not asked.
 * As it was before.
 * what goes on in small letters is the same sentence.
 */
// Ofsted, Assets and Sorts are other words.
const c = <p title="/* What */">{/* Of a page. */}</p>
  // Who comes
  // Whose turn it is
  // Whether it is, whoever asks
  // Whoever asks
  // So that it is`
  expect(badOpenings('x.tsx', text)).toEqual([
    { line: 1, word: 'What' },
    { line: 2, word: 'Which' },
    { line: 8, word: 'As' },
    { line: 12, word: 'Of' },
    { line: 13, word: 'Who' },
    { line: 14, word: 'Whose' },
    { line: 15, word: 'Whether' },
    { line: 16, word: 'Whoever' },
    { line: 17, word: 'So' },
  ])
})

it('finds them in style sheets', () => {
  const text = `/* The colours. */
.a::before { content: "/* What */ '"; }
.b {
  /* That one
     Which it is */
  color: red;
}`
  expect(badOpenings('x.css', text)).toEqual([
    { line: 4, word: 'That' },
    { line: 5, word: 'Which' },
  ])
})

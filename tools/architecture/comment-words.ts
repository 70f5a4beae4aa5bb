import { parseSync } from 'vite'

interface Opening {
  line: number
  word: string
}

export const why =
  'A comment names its noun first, in a plain sentence: "Errors in a policy", not "What is wrong with a policy".'

const words = /^(?:Of|What|Whatever|Who|Whom|Whose|Whoever|Which|Whether|As|That|So)\b/
/** Texts in quotes are matched first, so that a comment sign in one of them begins no comment. */
const cssTokens = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\*([\s\S]*?)\*\//g

/**
 * Lines of comments that begin with one of the words, in a TypeScript, JavaScript or CSS file. Each line of a comment
 * counts: with a capital letter a new sentence begins there.
 */
export function badOpenings(file: string, text: string): Opening[] {
  const found = file.endsWith('.css') ? cssComments(text) : scriptComments(file, text)
  return found.flatMap(({ start, value }) => {
    const first = text.slice(0, start).split('\n').length
    return value.split('\n').flatMap((line, index) => {
      const word = words.exec(line.replace(/^[\s*]+/, ''))?.[0]
      return word === undefined ? [] : [{ line: first + index, word }]
    })
  })
}

/** Comments from the parser, which tells them apart from strings and templates with the same signs. */
function scriptComments(file: string, text: string): { start: number; value: string }[] {
  const lang = file.endsWith('x') ? 'tsx' : 'ts'
  return parseSync(file, text, { lang, sourceType: 'module' }).comments
}

function cssComments(text: string): { start: number; value: string }[] {
  return [...text.matchAll(cssTokens)].flatMap(({ index, 1: value }) =>
    value === undefined ? [] : [{ start: index, value }],
  )
}

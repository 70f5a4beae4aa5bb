import { CST, isMap, isSeq, Lexer } from 'yaml'
import { openYaml, YamlRefused } from './yaml-document.ts'

/**
 * Tells whether the comments in the text of a sub-tree are kept. They are kept where it is a map or list on lines of
 * its own; beside any other value they are lost, and a comment alone is no value at all.
 */
export function commentsIn(text: string): 'none' | 'kept' | 'lost' | 'only' {
  if (!text.includes('#')) return 'none'
  try {
    const { contents } = openYaml(text)
    if (!hasComment(text)) return 'none'
    if ((isMap(contents) || isSeq(contents)) && !contents.flow) return 'kept'
    return contents === null || contents.range[0] === contents.range[1] ? 'only' : 'lost'
  } catch (error) {
    if (error instanceof YamlRefused) return 'none'
    throw error
  }
}

function hasComment(text: string): boolean {
  let isScalarNext = false
  for (const source of new Lexer().lex(text)) {
    const type: string | null = isScalarNext ? 'scalar-text' : CST.tokenType(source)
    isScalarNext = type === 'scalar'
    if (type === 'comment') return true
  }
  return false
}

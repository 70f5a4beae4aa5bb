/** Directives in the comments of a value, and the rest of the comments as text for people. */
export interface Directives {
  hidden: boolean
  masked: boolean
  storageClass: boolean
  registrySecret: boolean
  /** The choices of `@SELECT a|b|c`, as written. */
  select: string[] | undefined
  /** Shown on demand; only a value with more than one comment has one. */
  tooltip: string | undefined
  text: string[]
}

const directive = /^@(HIDDEN|TOOLTIP|SELECT|MASKED|STORAGECLASS|REGISTRYSECRET)\b[:\s]*(.*)$/
/** A line that begins with a directive may have more of them: `@HIDDEN @MASKED`. */
const betweenDirectives = /\s+(?=@(?:HIDDEN|TOOLTIP|SELECT|MASKED|STORAGECLASS|REGISTRYSECRET)\b)/

export function directivesOf(comments: readonly string[]): Directives {
  const found: Directives = {
    hidden: false,
    masked: false,
    storageClass: false,
    registrySecret: false,
    select: undefined,
    tooltip: undefined,
    text: [],
  }
  const parts = comments.flatMap((comment) => (directive.test(comment) ? comment.split(betweenDirectives) : [comment]))
  for (const comment of parts) {
    const [, name, rest = ''] = directive.exec(comment) ?? []
    if (name === 'HIDDEN') found.hidden = true
    else if (name === 'MASKED') found.masked = true
    else if (name === 'STORAGECLASS') found.storageClass = true
    else if (name === 'REGISTRYSECRET') found.registrySecret = true
    else if (name === 'TOOLTIP') found.tooltip = comments.length > 1 ? rest.trim() || undefined : undefined
    else if (name === 'SELECT') found.select = choicesOf(rest)
    else found.text.push(comment)
  }
  return found
}

function choicesOf(text: string): string[] | undefined {
  const choices = text
    .split('|')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '')
  return choices.length > 0 ? choices : undefined
}

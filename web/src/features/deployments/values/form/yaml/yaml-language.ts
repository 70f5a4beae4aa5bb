import { yamlLanguage } from '@codemirror/lang-yaml'
import { LanguageSupport } from '@codemirror/language'

type Config = Parameters<typeof yamlLanguage.configure>[0]
type Tracker = NonNullable<Config['contextTracker']>
type Wrapper = NonNullable<Config['wrap']>

/** Where the parser is: each level of indentation knows the one around it. */
interface Level {
  parent: Level | null
}
interface Tracking {
  shift: (level: Level, term: number, stack: unknown, input: { next: number }) => Level
}

/**
 * Levels end with the text too. The grammar leaves them open there, and what it has read up to the end is then noted as
 * read at the innermost level, where no later parse can use it again: each letter would cost reading all of the text.
 */
function endingWithText(tracker: Tracking): Tracker {
  const shift: Tracking['shift'] = (level, term, stack, input) =>
    input.next < 0 ? (level.parent ?? level) : tracker.shift(level, term, stack, input)
  return { ...tracker, shift }
}

const { context } = yamlLanguage.parser as unknown as { context: Tracking }
/**
 * Reading goes on to the end of a long text, a slice of time after the other: where it stops before, levels stay open
 * too. It can be told to make do with what it has.
 */
const toTheEnd: Wrapper = (reading) => ({
  advance: () => reading.advance(),
  get parsedPos() {
    return reading.parsedPos
  },
  get stoppedAt() {
    return reading.stoppedAt
  },
  stopAt(place) {
    if (place <= reading.parsedPos) reading.stopAt(place)
  },
})

/** YAML for the editor: after an edit it reads what was touched, and takes the rest from what it has read before. */
export const quickYaml = yamlLanguage.configure({ contextTracker: endingWithText(context), wrap: toTheEnd })

export function yaml(): LanguageSupport {
  return new LanguageSupport(quickYaml)
}

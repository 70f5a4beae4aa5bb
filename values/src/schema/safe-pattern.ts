const longest = 300
const mostRepeats = 3

/**
 * Tells whether a pattern of a stranger can be matched against a short text without running for long: it repeats no
 * group, refers back to nothing, and has few open repeats. Others are left to the server, which can stop them.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > longest) return false
  // Escapes and brackets count as one letter each.
  const bare = pattern
    .replace(/\\[1-9k]/g, '(x)+')
    .replace(/\\./g, 'x')
    .replace(/\[\^?\]?[^\]]*\]/g, 'x')
  if (/\)(?:[*+]|\{\d+,?\d*\})/.test(bare)) return false
  return (bare.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0) <= mostRepeats
}

interface Lines {
  variables: Record<string, string>
  /** A sentence about the first line that is no variable, or has the name of another one. */
  problem: string | undefined
}

/** Variables of a text, one a line: a name, an equals sign and a value, which may be empty. */
export function variablesIn(text: string): Lines {
  const variables = new Map<string, string>()
  let wrong: string | undefined
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([A-Za-z][A-Za-z0-9]{0,39})\s*=(.*)$/.exec(line) ?? []
    if (name === '' || variables.has(name)) wrong ??= line.trim()
    else variables.set(name, value.trim())
  }
  const problem = wrong && `“${wrong}” is not a variable such as team = shop, or repeats a name`
  return { variables: Object.fromEntries(variables), problem }
}

export const linesOfVariables = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n')

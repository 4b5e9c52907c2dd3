/**
 * Lists the commits whose fixes test/mistakes/reversals.md takes back, in the order in which they are drawn: those up to
 * the one named here that change a test and at most so many lines of the sources, and begin with a word of mending. The
 * order is that of digests, so a seed decides it, and nobody.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'

const last = 'feb14602'
const seed = '52'
const most = 60
const mending =
  /^(Accept|Answer|Apply|Ask|Believe|Bind|Check|Clear|Close|Compare|Count|Disable|Do not|Don't|End|Fail|Free|Give|Have|Hold|Keep|Leave|Let|Link|Log|Make|Mend|Open|Read|Record|Refuse|Send|Spend|Stop|Take|Tell|Wait|Warn)\b/
const isSource = (path) =>
  /^packages\/(accounts|client|hashes|kysely|nodemailer|passkeys|providers|redis)\/src\/(?!testing\/).*\.ts$/.test(
    path,
  )
const isCode = (line) => !/^(\/\/|\/?\*|import |$)/.test(line.trim())

const log = execFileSync(
  'git',
  ['log', '--no-merges', '--unified=0', '--patch', '--format=%x01%H %s', last, '--', 'packages'],
  { encoding: 'utf8', maxBuffer: 1 << 30 },
)
const drawn = log
  .split('\x01')
  .slice(1)
  .map((text) => {
    const [head, ...lines] = text.split('\n')
    const [sha, ...subject] = head.split(' ')
    let path = ''
    let count = 0
    let hasTest = false
    for (const line of lines) {
      if (line.startsWith('+++ ')) path = line.slice(6)
      else if (/^(--- |[^+-]|$)/.test(line)) continue
      else if (path.endsWith('.test.ts')) hasTest = true
      else if (isSource(path) && isCode(line.slice(1))) count += 1
    }
    return { sha, subject: subject.join(' '), isDrawn: count > 0 && count <= most && hasTest }
  })
  .filter(({ subject, isDrawn }) => isDrawn && mending.test(subject))
  .map((each) => ({ ...each, place: createHash('sha256').update(`${seed}:${each.sha}`).digest('hex') }))
  .toSorted((one, other) => (one.place < other.place ? -1 : 1))
for (const { sha, subject } of drawn) console.log(sha.slice(0, 8), subject)

import { spawn, spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onSomePort } from '@fastify-accounts/test-support/some-port'

const executablePath = [
  process.env.NGINX,
  '/usr/sbin/nginx',
  '/usr/bin/nginx',
  '/opt/homebrew/bin/nginx',
].find((place) => place !== undefined && existsSync(place))

/** Whether nginx is installed, and openssl for its certificates; logs one line if not. */
export function isNginxHere(): boolean {
  if (executablePath !== undefined && spawnSync('openssl', ['version']).status === 0) return true
  const line =
    'No nginx with openssl: tests behind a real proxy are skipped (apt-get install nginx-light openssl, or set NGINX)'
  if (process.env.CI) throw new Error(line)
  console.warn(line)
  return false
}

/** What nginx serves for one host name. */
export type Site =
  | { /** Port of a service on 127.0.0.1. */ proxyTo: number }
  | { /** A file for each path. */ pages: Record<string, string> }

interface Ports {
  https: number
  http: number
}

interface Running extends Ports {
  stop(): Promise<void>
}

export interface Nginx {
  port: Ports
  certificate: string
  /** Make Chromium resolve the names to this nginx and accept its self-signed certificate. */
  chromiumArgs: string[]
  stop(): Promise<void>
}

/**
 * Starts nginx for this test, serving each name over http and, with a certificate made for it, over https.
 * @param sites by host name
 */
export async function startNginx(sites: Record<string, Site>): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-nginx-'))
  const names = Object.keys(sites)
  const certificate = await makeCertificate(folder, names)
  for (const [name, site] of Object.entries(sites)) {
    if (!('pages' in site)) continue
    await mkdir(join(folder, name))
    for (const [page, html] of Object.entries(site.pages)) await writeFile(join(folder, name, page), html)
  }
  const { stop, ...port } = await run(folder, (port) => servers(folder, sites, port))
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  const rules = names.flatMap((name) => [
    `MAP ${name}:443 127.0.0.1:${port.https}`,
    `MAP ${name}:80 127.0.0.1:${port.http}`,
  ])
  return {
    port,
    certificate,
    chromiumArgs: [
      `--host-resolver-rules=${rules.join(',')}`,
      `--ignore-certificate-errors-spki-list=${createHash('sha256').update(spki).digest('base64')}`,
    ],
    stop,
  }
}

/** With openssl, since Node can read certificates but not make them. */
async function makeCertificate(folder: string, names: readonly string[]): Promise<string> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const { status, stderr } = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-keyout', key, '-out', certificate, '-subj', `/CN=${names[0]}`],
    ...['-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`],
  ])
  if (status !== 0) throw new Error(`openssl failed to make a certificate: ${stderr}`)
  return readFile(certificate, 'utf8')
}

/** Starts nginx for this test with these directives in its http block and nginx's defaults for the rest. */
export async function startPlainNginx(sites: (port: Ports) => string): Promise<Running> {
  return run(await mkdtemp(join(tmpdir(), 'accounts-nginx-')), sites)
}

/** Makes a certificate and its key in a new folder. */
export async function certificateFor(name: string): Promise<{ certificate: string; key: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-certificate-'))
  await makeCertificate(folder, [name])
  return { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') }
}

/** Starts nginx and waits until it listens. */
async function run(folder: string, sites: (port: Ports) => string): Promise<Running> {
  try {
    return await onSomePort((https) => runOn({ https, http: https + 1 }, folder, sites))
  } catch (error) {
    await rm(folder, { recursive: true })
    throw error
  }
}

async function runOn(port: Ports, folder: string, sites: (port: Ports) => string): Promise<Running> {
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, sites(port)))
  const nginx = spawn(executablePath ?? '', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'])
  let said = ''
  nginx.stderr.on('data', (data) => {
    said += data
  })
  const ended = once(nginx, 'exit')
  // It writes the file when it has all its ports, and tries for seconds to get one that is taken.
  while (!existsSync(join(folder, 'nginx.pid'))) {
    if (nginx.exitCode !== null || said.includes('already in use')) {
      nginx.kill('SIGKILL')
      await ended
      throw new Error(`nginx did not start: ${said}`)
    }
    await sleep(20)
  }
  return {
    ...port,
    async stop() {
      if (nginx.exitCode === null) nginx.kill('SIGQUIT')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

function servers(folder: string, sites: Record<string, Site>, port: Ports): string {
  const blocks = Object.entries(sites).map(
    ([name, site]) => `
    server {
      listen 127.0.0.1:${port.https} ssl;
      listen 127.0.0.1:${port.http};
      server_name ${name};
      ${'proxyTo' in site ? passOn(site.proxyTo) : `location / { root ${folder}/${name}; default_type text/html; }`}
    }`,
  )
  return `
    ssl_certificate ${folder}/certificate.pem;
    ssl_certificate_key ${folder}/key.pem;
    ${blocks.join('')}`
}

function configuration(folder: string, sites: string): string {
  return `
  daemon off;
  ${process.getuid?.() === 0 ? 'user root;' : ''}
  worker_processes 1;
  pid ${folder}/nginx.pid;
  error_log stderr warn;
  events { worker_connections 256; }
  http {
    access_log off;
    client_body_temp_path ${folder}/body;
    proxy_temp_path ${folder}/proxy;
    fastcgi_temp_path ${folder}/fastcgi;
    uwsgi_temp_path ${folder}/uwsgi;
    scgi_temp_path ${folder}/scgi;
    ${sites}
  }`
}

/** A proxy that appends to X-Forwarded-For. */
function passOn(port: number): string {
  return `location / {
        proxy_pass http://127.0.0.1:${port};
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
      }`
}

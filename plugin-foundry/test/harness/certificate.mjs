/** A certificate that nobody vouches for, made by the program that Go brings along. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
let made;

/** @returns {Promise<{cert: string, key: string, certFile: string, keyFile: string}>} */
export function selfSigned() {
  made ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "hantei-certificate-"));
    const root = (await run("go", ["env", "GOROOT"])).stdout.trim();
    await run("go", ["run", join(root, "src/crypto/tls/generate_cert.go"), "--host", "127.0.0.1,localhost,foundry.test,hantei.test", "--ecdsa-curve", "P256"], { cwd: folder });
    const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    return { certFile, keyFile, cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") };
  })();
  return made;
}

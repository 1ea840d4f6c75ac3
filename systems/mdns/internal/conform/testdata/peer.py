"""python-zeroconf as the other side: peer.py register|browse ADDRESS NAME."""

import signal
import socket
import sys
import time

from zeroconf import ServiceBrowser, ServiceInfo, Zeroconf

TYPE = "_http._tcp.local."


class Listener:
    def add_service(self, zc, type_, name):
        info = zc.get_service_info(type_, name, timeout=3000)
        if info is None:
            return
        path = (info.properties.get(b"path") or b"").decode()
        for address in info.parsed_addresses():
            print("added", name.removesuffix("." + TYPE), info.port, path, address, flush=True)

    update_service = add_service

    def remove_service(self, zc, type_, name):
        print("removed", name.removesuffix("." + TYPE), flush=True)


def main():
    what, address, name = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    zc = Zeroconf(interfaces=[address])
    try:
        if what == "register":
            zc.register_service(
                ServiceInfo(
                    TYPE,
                    f"{name}.{TYPE}",
                    port=8080,
                    properties={"path": "/x"},
                    server="python-peer.local.",
                    addresses=[socket.inet_aton(address)],
                ),
                allow_name_change=True,
            )
        else:
            ServiceBrowser(zc, TYPE, Listener())
        time.sleep(240)
    finally:
        zc.unregister_all_services()
        zc.close()


main()

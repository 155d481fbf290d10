"""fixloop and other repair agents before the same scripted model server, on the same small fault."""
